import { SimpleGrid } from '@mantine/core';
import { type RankingName, type RankingValues, rankingConstants } from '#shared/ranking.ts';
import { NumberField } from './number-field.tsx';

interface RankingConstantsProps {
  /** Those that are set. */
  values: { [Name in RankingName]?: number | undefined } | null;
  onChange: (values: RankingValues | null) => void;
}

const names = Object.keys(rankingConstants) as RankingName[];

/** Every constant of the ranking; an empty box has its default. */
export function RankingConstants({ values, onChange }: RankingConstantsProps) {
  const set = (name: RankingName, value: number | null) => {
    const next = Object.entries({ ...values, [name]: value }).filter(([, own]) => typeof own === 'number');
    onChange(next.length === 0 ? null : Object.fromEntries(next));
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {names.map((name) => {
        const { min, max, meaning, default: usual, ...rest } = rankingConstants[name];
        return (
          <NumberField
            key={name}
            label={name}
            description={meaning.replaceAll('`', '')}
            placeholder={String(usual)}
            value={values?.[name] ?? null}
            range={{ min, max, isWhole: 'isWhole' in rest }}
            onChange={(value) => set(name, value)}
          />
        );
      })}
    </SimpleGrid>
  );
}
