import { Table, Text, Title } from '@mantine/core';
import { useId } from 'react';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { formatDateTime } from '#client/lib/format.ts';
import type { RelevanceMeasure } from '#shared/judgements.ts';
import { changeWords } from './change-words.ts';
import { formerOf } from './former-of.ts';
import { Difference } from './measure-figures.tsx';
import { modeNames } from './mode-names.ts';

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** When it was measured, what had been changed, and what came of it. */
export function MeasureHistory({ measures }: { measures: RelevanceMeasure[] }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} size="h3" mb="sm">
        After every change
      </Title>
      <TablePanel
        minWidth={640}
        head={
          <>
            <Table.Th>Measured</Table.Th>
            <Table.Th>What had been changed</Table.Th>
            <Table.Th>Search</Table.Th>
            <Table.Th>Hit rate@10</Table.Th>
            <Table.Th>nDCG@10</Table.Th>
            <Table.Th>MRR</Table.Th>
          </>
        }
      >
        {measures.map((measure, i) => (
          <Measure key={measure.id} measure={measure} former={formerOf(measures, i)} />
        ))}
      </TablePanel>
    </section>
  );
}

function Measure({ measure, former }: { measure: RelevanceMeasure; former: RelevanceMeasure | null }) {
  const { measuredAt, reason, changes, mode, hitRate, ndcg, mrr } = measure;
  const words = changeWords(changes);
  return (
    <Table.Tr>
      <Table.Td className={cells['date'] ?? ''}>{formatDateTime(measuredAt)}</Table.Td>
      <Table.Td className={cells['words'] ?? ''}>
        {reason && (
          <Text size="sm" dir="auto">
            {reason}
          </Text>
        )}
        {words ||
          (!reason && (
            <Text size="sm" c="dimmed">
              nothing
            </Text>
          ))}
      </Table.Td>
      <Table.Td>{modeNames[mode]}</Table.Td>
      <Table.Td className={cells['date'] ?? ''}>
        {percent(hitRate)} {former && <Difference now={hitRate} before={former.hitRate} text={percent} />}
      </Table.Td>
      <Table.Td>{ndcg.toFixed(3)}</Table.Td>
      <Table.Td>{mrr.toFixed(3)}</Table.Td>
    </Table.Tr>
  );
}
