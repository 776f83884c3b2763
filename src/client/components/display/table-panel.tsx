import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './table-panel.module.css';

interface TablePanelProps {
  /** In px: a narrower screen scrolls. */
  minWidth: number;
  /** Cells of the head: `<th scope="col">`, numbers with `data-right`. */
  head: ReactNode;
  /** Rows. */
  children: ReactNode;
}

/** The table of a tab, which scrolls within its frame where it is too wide. Mantine's own brings all that floats along. */
export function TablePanel({ minWidth, head, children }: TablePanelProps) {
  return (
    <Paper withBorder className={classes['panel'] ?? ''}>
      <table className={classes['table']} style={{ minWidth }}>
        <thead className={classes['head']}>
          <tr>{head}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Paper>
  );
}
