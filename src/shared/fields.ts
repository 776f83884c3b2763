import { z } from 'zod';
import { limits } from './limits.ts';

/** Pieces that the entities' schemas are built from. */

/**
 * An entity's id: a positive integer, or the same as a string of digits. A number that no row can have
 * (zero, negative, beyond 2^53) becomes 0, so that it is answered like any unknown id: 404, never 400.
 */
export const entityId = z
  .union(
    [z.int(), z.number(), z.string().regex(/^-?\d{1,40}$/, 'must be a whole number')],
    'must be a whole number',
  )
  .transform((value) => Number(value))
  .refine((value) => Number.isInteger(value), 'must be a whole number')
  .transform((value) => (Number.isSafeInteger(value) && value > 0 ? value : 0))
  .meta({ type: 'integer' });

/** Those that turn the direction of what stands behind them too: a name would dress up the sentence around it. */
const controlCharacters = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
export const hasNoControlCharacters = (value: string) => !controlCharacters.test(value);
export const noControlCharacters = 'must not contain control characters';
const canBeSeen = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** What forms say of a text that is too long, in place of the validator's words. */
export const atMost = (charactersMax: number) => `must be at most ${charactersMax} characters`;

/** A name people give to a thing: trimmed, 1 to 128 characters of any script that can be seen, no control characters. */
export const name = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(limits.nameCharactersMax, atMost(limits.nameCharactersMax))
  .refine(hasNoControlCharacters, noControlCharacters)
  .refine((value) => value === '' || canBeSeen.test(value), 'must have a character that can be seen')
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');

/** Empty is none. */
export const description = z
  .string()
  .trim()
  .max(limits.descriptionCharactersMax, atMost(limits.descriptionCharactersMax))
  .refine((value) => !value.includes('\u0000'), 'must not contain U+0000')
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode')
  .nullable()
  .overwrite((value) => value || null);

/** Part of an address. Empty: made from the name. */
export const slug = z
  .string()
  .trim()
  .max(128, atMost(128))
  .regex(/^[a-z0-9-]*$/, 'may contain a-z, 0-9 and hyphens');

/** When something happened, as entities say it: ISO 8601 in UTC. */
export const moment = z.iso.datetime();

const yearOne = Date.parse('0001-01-01T00:00:00Z');
const year10000 = Date.parse('+010000-01-01T00:00:00Z');

/** ISO 8601 with an offset, in the years that Postgres and ISO 8601 both write with four digits: an offset can lead out of them. */
export const timestamp = z.iso
  .datetime({ offset: true, message: 'must be an ISO 8601 date and time' })
  .refine(
    (text) => Date.parse(text) >= yearOne && Date.parse(text) < year10000,
    'must lie in the years 1 to 9999',
  );
