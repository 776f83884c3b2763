import { Paper, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './table-panel.module.css';

/** The table of a tab, which scrolls within its frame where it is too wide. */
export function TablePanel(props: { minWidth: number; head: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder className={classes['panel'] ?? ''}>
      <Table.ScrollContainer minWidth={props.minWidth} type="native">
        <Table verticalSpacing="sm" horizontalSpacing="sm">
          <Table.Thead className={classes['head'] ?? ''}>
            <Table.Tr>{props.head}</Table.Tr>
          </Table.Thead>
          <Table.Tbody>{props.children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}
