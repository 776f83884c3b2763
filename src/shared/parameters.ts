import { z } from 'zod';
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

/** Field names: an array, or a comma-separated list. */
export const fieldList = z
  .union(
    [z.array(z.string().min(1).max(256)).max(1_000), z.string().max(16_384)],
    'must be a list of field names',
  )
  .transform((value) =>
    (typeof value === 'string' ? value.split(',') : value)
      .map((field) => field.trim())
      .filter((field) => field !== ''),
  );

/** Weights of fields: an array, or a comma-separated list. 0 leaves a field out. */
export const weightList = z
  .union([z.array(z.number()).max(1_000), z.string().max(16_384)], 'must be a list of numbers')
  .transform((value) => (typeof value === 'string' ? value.split(',').map(toNumber) : value))
  .refine(
    (weights) => weights.every(isWeight),
    `must be numbers from ${limits.fieldWeightMin} to ${limits.fieldWeightMax}, or 0`,
  );

/** `Number` would take an empty text for 0. */
function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function isWeight(weight: number): boolean {
  return weight === 0 || (weight >= limits.fieldWeightMin && weight <= limits.fieldWeightMax);
}
