import { Paper, Skeleton, Text } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import type { IconShape } from './icon.tsx';
import { Icon } from './icon.tsx';
import classes from './stat-card.module.css';

/** One figure with its name; `value` is absent while it loads and `null` when it could not be loaded. */
export function StatCard(props: { label: string; icon: IconShape; value: number | null | undefined }) {
  return (
    <Paper component="section" aria-label={props.label} className={classes['root'] ?? ''} withBorder>
      <div className={classes['top']}>
        <Text size="sm" c="dimmed" fw={500}>
          {props.label}
        </Text>
        <span className={classes['icon']}>
          <Icon shape={props.icon} size={18} />
        </span>
      </div>
      {props.value === undefined ? (
        <Skeleton height="2.125rem" width="5rem" />
      ) : (
        <p className={classes['value']}>{props.value === null ? '–' : formatNumber(props.value)}</p>
      )}
    </Paper>
  );
}
