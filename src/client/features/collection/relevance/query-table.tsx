import { Progress, Text } from '@mantine/core';
import { Pager } from '#client/components/display/pager.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { pageOf } from '#client/lib/page-of.ts';
import { Difference } from './measure-figures.tsx';
import classes from './query-table.module.css';
import type { JudgedRow } from './use-judged.ts';

interface QueryTableProps {
  rows: JudgedRow[];
  page: number;
  onPage: (page: number) => void;
  onOpen: (query: string) => void;
}

/** The judged queries, the worst first. */
export function QueryTable({ rows, page, onPage, onOpen }: QueryTableProps) {
  const part = pageOf(rows, page);
  return (
    <>
      <TablePanel
        minWidth={640}
        head={
          <>
            <th scope="col">Query</th>
            <th scope="col">Judged</th>
            <th scope="col">First relevant hit</th>
            <th scope="col">nDCG@10</th>
            <th scope="col">Since the measure before</th>
          </>
        }
      >
        {part.shown.map((row) => (
          <QueryRow key={row.query} row={row} onOpen={() => onOpen(row.query)} />
        ))}
      </TablePanel>
      <Pager {...part} total={rows.length} noun="judged queries" onChange={onPage} />
    </>
  );
}

function QueryRow({ row, onOpen }: { row: JudgedRow; onOpen: () => void }) {
  const { query, documents, relevant, figures } = row;
  return (
    <tr>
      <td className={cells['words']}>
        <button type="button" className={classes['query']} dir="auto" onClick={onOpen}>
          {query}
        </button>
        {figures?.error && (
          <Text size="xs" c="red">
            {figures.error}
          </Text>
        )}
      </td>
      <td className={cells['date']}>
        {relevant} relevant{documents > relevant && `, ${documents - relevant} not`}
      </td>
      <td>{figures ? rankWords(figures.rank) : whyNot(relevant)}</td>
      <td>
        {figures && (
          <div className={classes['share']}>
            <Progress
              value={figures.ndcg * 100}
              size="sm"
              aria-hidden="true"
              className={classes['bar'] ?? ''}
            />
            <span>{figures.ndcg.toFixed(3)}</span>
          </div>
        )}
      </td>
      <td>
        {figures && figures.before !== null && <Difference now={figures.ndcg} before={figures.before} />}
      </td>
    </tr>
  );
}

function rankWords(rank: number | null): string {
  return rank === null ? 'not among ten' : `#${rank}`;
}

function whyNot(relevant: number): string {
  return relevant === 0 ? 'nothing is relevant' : 'not measured yet';
}
