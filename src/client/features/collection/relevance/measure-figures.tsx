import { Paper, Text } from '@mantine/core';
import type { RelevanceMeasure } from '#shared/judgements.ts';
import classes from './measure-figures.module.css';

interface MeasureFiguresProps {
  newest: RelevanceMeasure;
  /** The one before it of the same mode. */
  former: RelevanceMeasure | null;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const three = (share: number) => share.toFixed(3);

export const figures = [
  {
    name: 'hitRate',
    label: 'Hit rate@10',
    text: percent,
    meaning: 'Queries with a relevant hit among the first ten',
  },
  { name: 'ndcg', label: 'nDCG@10', text: three, meaning: 'How near the order is to the best possible' },
  { name: 'mrr', label: 'MRR', text: three, meaning: '1 / rank of the first relevant hit, on average' },
] as const;

/** The three means, each with its difference to the measure before. */
export function MeasureFigures({ newest, former }: MeasureFiguresProps) {
  return (
    <div className={classes['root']}>
      {figures.map(({ name, label, text, meaning }) => (
        <Paper key={name} component="section" aria-label={label} withBorder className={classes['card'] ?? ''}>
          <Text size="sm" fw={500} c="dimmed">
            {label}
          </Text>
          <p className={classes['value']}>
            {text(newest[name])}
            {former && <Difference now={newest[name]} before={former[name]} text={text} />}
          </p>
          <Text size="xs" c="dimmed">
            {meaning}
          </Text>
        </Paper>
      ))}
    </div>
  );
}

interface DifferenceProps {
  now: number;
  before: number;
  text?: (share: number) => string;
}

/** By its sign, not by its colour alone. */
export function Difference({ now, before, text = three }: DifferenceProps) {
  const sum = now - before;
  const shown = text(Math.abs(sum));
  if (shown === text(0)) {
    return <span className={classes['same']}>unchanged</span>;
  }
  return (
    <span className={classes['difference']} data-better={sum > 0 || undefined}>
      {sum > 0 ? '+' : '−'}
      {shown}
    </span>
  );
}
