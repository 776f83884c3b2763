import { Progress, Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import type { Analytics } from '#shared/analytics.ts';
import { limits } from '#shared/limits.ts';
import classes from './analytics-tab.module.css';

/** Which place of the list was clicked how often. */
export function ClickPositions({ positions }: { positions: Analytics['clicks_by_position'] }) {
  const most = Math.max(1, ...positions.map(({ clicks }) => clicks));
  if (positions.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No clicks were told in these days.
      </Text>
    );
  return (
    <ol className={classes['positions']} aria-label="Clicks by position">
      {positions.map(({ position, clicks }) => (
        <li key={position} className={classes['position']}>
          <Text size="sm">{position > limits.clickPositionsMax ? 'Further' : `#${position}`}</Text>
          <Progress value={(clicks / most) * 100} size="sm" aria-hidden="true" />
          <Text size="sm" ta="end">
            {formatNumber(clicks)}
          </Text>
        </li>
      ))}
    </ol>
  );
}
