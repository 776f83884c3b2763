import { z } from 'zod';
import { answeredAs, documentedAs } from './documented-as.ts';
import { limits } from './limits.ts';

/** Parameters that arrive typed in a JSON body and as text in a query string: one schema takes both. */

const numeric = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/, 'must be a number'),
    ],
    'must be a number',
  )
  .transform(Number)
  .refine(Number.isFinite, 'must be a finite number');

// `meta` is what the API's description says of a parameter, in place of its two forms.

export const finiteNumber = (min: number, max: number) =>
  numeric
    .refine((value) => value >= min, `must be at least ${min}`)
    .refine((value) => value <= max, `must be at most ${max}`)
    .meta({ type: 'number', minimum: min, maximum: max });

export const wholeNumber = (min: number, max: number = Number.MAX_SAFE_INTEGER) =>
  finiteNumber(min, max)
    .refine(Number.isInteger, 'must be a whole number')
    .meta({ type: 'integer', minimum: min, maximum: max });

export const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])], 'must be true or false')
  .transform((value) => value === true || value === 'true')
  .meta({ type: 'boolean' });

/** Any JSON object; what is in it is not looked at. */
export function jsonObject() {
  return z.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  );
}

const textMax = 16_384;
const listMax = 1_000;

/** A list that is good or not: of a hundred thousand bad items a schema would tell each. Documented as `as`. */
export function listOf<Item>(
  { min = 0, max, isItem }: { min?: number; max: number; isItem: (item: unknown) => item is Item },
  as: z.ZodType,
) {
  const isList = (value: unknown): value is Item[] =>
    Array.isArray(value) && value.length >= min && value.length <= max && value.every(isItem);
  return documentedAs(z.custom<Item[]>(isList), as);
}

export const isAnything = (_: unknown): _ is unknown => true;

export const textOf =
  (charactersMin: number, charactersMax: number) =>
  (value: unknown): value is string =>
    typeof value === 'string' && value.length >= charactersMin && value.length <= charactersMax;

export function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Field names: an array, or a comma-separated list. */
export const fieldList = answeredAs(
  z
    .union(
      [
        listOf({ max: listMax, isItem: textOf(1, 256) }, z.array(z.string().min(1).max(256)).max(listMax)),
        z.string().max(textMax),
      ],
      `must be a list of at most ${listMax} field names`,
    )
    .transform((value) =>
      (typeof value === 'string' ? value.split(',') : value)
        .map((field) => field.trim())
        .filter((field) => field !== ''),
    ),
  z.array(z.string()),
);

/** Weights of fields: an array, or a comma-separated list. 0 leaves a field out. */
export const weightList = answeredAs(
  z
    .union(
      [
        listOf({ max: listMax, isItem: isFiniteNumber }, z.array(z.number()).max(listMax)),
        z.string().max(textMax),
      ],
      `must be a list of at most ${listMax} numbers`,
    )
    .transform((value) => (typeof value === 'string' ? value.split(',').map(toNumber) : value))
    .refine(
      (weights) => weights.every(isWeight),
      `must be numbers from ${limits.fieldWeightMin} to ${limits.fieldWeightMax}, or 0`,
    ),
  z.array(z.number()),
);

/** `Number` would take an empty text for 0. */
function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function isWeight(weight: number): boolean {
  return weight === 0 || (weight >= limits.fieldWeightMin && weight <= limits.fieldWeightMax);
}
