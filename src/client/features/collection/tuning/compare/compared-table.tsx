import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Pager } from '#client/components/display/pager.tsx';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { pageOf } from '#client/lib/page-of.ts';
import {
  type ComparedKind,
  type ComparedQuery,
  comparedKinds,
  type RelevanceComparison,
} from '#shared/comparisons.ts';
import queries from '../../relevance/query-table.module.css';
import classes from './compare-panel.module.css';
import { Change } from './compared-figures.tsx';
import { differenceWords, kindNames } from './kind-words.ts';

interface ComparedTableProps {
  comparison: RelevanceComparison;
  onOpen: (query: string) => void;
}

/** The judged queries, the greatest change first; those of one kind alone, where one is chosen. */
export function ComparedTable({ comparison: { counts, results }, onOpen }: ComparedTableProps) {
  const [kind, setKind] = useState<ComparedKind | null>(null);
  const [page, setPage] = useState(1);
  const rows = kind === null ? results : results.filter((each) => each.kind === kind);
  const part = pageOf(rows, page);
  const choose = (next: ComparedKind | null) => {
    setKind(next);
    setPage(1);
  };
  const choices = [
    { value: null, label: 'All', count: results.length },
    ...comparedKinds.map((value) => ({ value, label: kindNames[value], count: counts[value] })),
  ].filter(({ count }) => count > 0);
  return (
    <>
      <Group gap="xs" role="group" aria-label="Which queries">
        {choices.map(({ value, label, count }) => (
          <Button
            key={label}
            size="compact-sm"
            variant={value === kind ? 'filled' : 'default'}
            aria-pressed={value === kind}
            onClick={() => choose(value)}
          >
            {label} {count}
          </Button>
        ))}
      </Group>
      <TablePanel
        minWidth={0}
        head={
          <>
            <th scope="col">Query</th>
            <th scope="col" className={classes['became']}>
              What became of it, nDCG@10
            </th>
          </>
        }
      >
        {part.shown.map((row) => (
          <Row key={row.query} row={row} onOpen={() => onOpen(row.query)} />
        ))}
      </TablePanel>
      <Pager {...part} total={rows.length} noun="queries" onChange={setPage} />
    </>
  );
}

const three = (share: number) => share.toFixed(3);

function Row({ row, onOpen }: { row: ComparedQuery; onOpen: () => void }) {
  const { query, kind, before, after } = row;
  return (
    <tr>
      <td className={classes['query']}>
        <button type="button" className={queries['query']} dir="auto" onClick={onOpen}>
          {query}
        </button>
        {after.error && (
          <Text size="xs" c="red">
            {after.error}
          </Text>
        )}
      </td>
      <td>
        <div className={classes['outcome']}>
          <span>{kindNames[kind]}</span>{' '}
          <span>
            {three(before.ndcg)} → {three(after.ndcg)}
          </span>{' '}
          <Change words={differenceWords(before.ndcg, after.ndcg, three)} />
        </div>
      </td>
    </tr>
  );
}
