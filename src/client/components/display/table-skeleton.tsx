import { Group, Paper, Skeleton } from '@mantine/core';
import classes from './table-panel.module.css';

const widths = ['40%', '55%', '35%', '50%', '45%'];

/** A table that is on its way: a line for each row. */
export function TableSkeleton() {
  return (
    <Paper withBorder className={classes['panel'] ?? ''} aria-hidden="true" p="sm">
      {widths.map((width) => (
        <Group key={width} justify="space-between" h="3.25rem" wrap="nowrap">
          <Skeleton height="0.75rem" width={width} />
          <Skeleton height="0.75rem" width="4rem" />
        </Group>
      ))}
    </Paper>
  );
}
