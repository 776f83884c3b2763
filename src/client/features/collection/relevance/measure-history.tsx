import { Text, Title } from '@mantine/core';
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
            <th scope="col">Measured</th>
            <th scope="col">What had been changed</th>
            <th scope="col">Search</th>
            <th scope="col">Hit rate@10</th>
            <th scope="col">nDCG@10</th>
            <th scope="col">MRR</th>
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
    <tr>
      <td className={cells['date']}>{formatDateTime(measuredAt)}</td>
      <td className={cells['words']}>
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
      </td>
      <td>{modeNames[mode]}</td>
      <td className={cells['date']}>
        {percent(hitRate)} {former && <Difference now={hitRate} before={former.hitRate} text={percent} />}
      </td>
      <td>{ndcg.toFixed(3)}</td>
      <td>{mrr.toFixed(3)}</td>
    </tr>
  );
}
