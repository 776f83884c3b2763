import { z } from 'zod';
import { answeredAs, documentedAs } from './documented-as.ts';
import { finiteNumber, jsonObject, wholeNumber } from './parameters.ts';
import { type RankingName, rankingConstants } from './ranking.ts';

const constants = Object.fromEntries(
  Object.entries(rankingConstants).map(([name, constant]) => {
    const { min, max, meaning } = constant;
    const number = 'isWhole' in constant ? wholeNumber(min, max) : finiteNumber(min, max);
    return [name, number.optional().meta({ default: constant.default, description: meaning })];
  }),
) as Record<RankingName, z.ZodOptional<ReturnType<typeof finiteNumber>>>;
const ranking = z.strictObject(constants);

const text = z.string().max(2_048);

/** Ranking constants: `{"k1": 1.2, "b": 0}`, in a query string `k1:1.2,b:0`. */
export const rankingParameter = answeredAs(
  documentedAs(
    z
      .union([jsonObject(), text.transform(toPairs)], 'must be an object of numbers, or k1:1.2,b:0')
      .pipe(ranking),
    z.union([ranking, text]),
  ),
  ranking,
);

function toPairs(pairs: string): Record<string, unknown> {
  const named = pairs.split(',').filter((pair) => pair.trim() !== '');
  return Object.fromEntries(
    named.map((pair) => {
      const [name = '', value = ''] = pair.split(/:(.*)/s);
      return [name.trim(), value];
    }),
  );
}
