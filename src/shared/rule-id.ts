import { z } from 'zod';
import { atMost } from './fields.ts';
import { limits } from './limits.ts';

/** Text that people give to rules: what Postgres can hold and a line can show. */
export const ruleText = (charactersMax: number) =>
  z
    .string()
    .trim()
    .min(1, 'is required')
    .max(charactersMax, atMost(charactersMax))
    .refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
    .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

/** The id of a synonym or an override, or the name of a preset: the caller's own, one of its kind in a collection. */
export const ruleId = ruleText(limits.ruleIdCharactersMax);
