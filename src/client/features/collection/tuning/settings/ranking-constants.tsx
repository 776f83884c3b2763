import { SimpleGrid } from '@mantine/core';
import { useLacks } from '#client/lib/use-engine.ts';
import { type RankingName, type RankingValues, rankingConstants } from '#shared/ranking.ts';
import { NumberField } from './number-field.tsx';

interface RankingConstantsProps {
  /** Those that are set. */
  values: { [Name in RankingName]?: number | undefined } | null;
  onChange: (values: RankingValues | null) => void;
}

const names = Object.keys(rankingConstants) as RankingName[];
/** What an engine may build into an index. */
const ofIndex = ['k1', 'b', 'title_weight'] as const satisfies RankingName[];

/** Every constant of the ranking; an empty box has its default. */
export function RankingConstants({ values, onChange }: RankingConstantsProps) {
  const isWholeTitle = useLacks('fractional_title_weight');
  const makesIndex = useLacks('constants_without_a_new_index');
  const set = (name: RankingName, value: number | null) => {
    const next = Object.entries({ ...values, [name]: value }).filter(([, own]) => typeof own === 'number');
    onChange(next.length === 0 ? null : Object.fromEntries(next));
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
      {names.map((name) => {
        const { min, max, meaning, default: usual, ...rest } = rankingConstants[name];
        const isOfIndex = makesIndex && (ofIndex as readonly string[]).includes(name);
        const range =
          isWholeTitle && name === 'title_weight'
            ? { min: 1, max: 10, isWhole: true }
            : { min, max, isWhole: 'isWhole' in rest };
        return (
          <NumberField
            key={name}
            label={name}
            description={`${meaning.replaceAll('`', '')}${isOfIndex ? '. A change makes the index anew, beside the one before' : ''}`}
            placeholder={String(usual)}
            value={values?.[name] ?? null}
            range={range}
            onChange={(value) => set(name, value)}
          />
        );
      })}
    </SimpleGrid>
  );
}
