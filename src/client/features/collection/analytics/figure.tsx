import { Paper, Text } from '@mantine/core';
import classes from './analytics-tab.module.css';

/** A sum of the period, as it is read. */
export function Figure({
  label,
  value,
  detail,
}: {
  label: string;
  value: string;
  detail?: string | undefined;
}) {
  return (
    <Paper component="section" aria-label={label} withBorder className={classes['figure'] ?? ''}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <p className={classes['value']}>{value}</p>
      {detail && (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      )}
    </Paper>
  );
}

/** 0.123 → "12.3 %"; null, where there is nothing to share: "–". */
export function share(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}
