import { z } from 'zod';
import { collectionName, collectionRef } from './collections.ts';
import { documentId } from './document-id.ts';
import { timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';
import { ruleId, ruleText } from './rule-id.ts';

const queryText = ruleText(limits.queryCharactersMax);

/** Ids are one of their kind in a list, so that each document has one place. */
const areDifferent = (list: { id: string }[]) => new Set(list.map(({ id }) => id)).size === list.length;

/** What an override does when its rule matches the query as typed. */
const overrideFields = {
  rule: z.strictObject({ query: queryText, match: z.enum(['exact', 'contains']) }),
  includes: z
    .array(z.strictObject({ id: documentId, position: z.int().min(1).max(limits.pinPositionMax) }))
    .max(limits.overridePinsMax)
    .refine(areDifferent, 'must name each document once')
    .optional(),
  excludes: z
    .array(z.strictObject({ id: documentId }))
    .max(limits.overrideHiddenMax)
    .refine(areDifferent, 'must name each document once')
    .optional(),
  filter_by: z.string().trim().min(1).max(limits.overrideFilterCharactersMax).optional(),
  sort_by: z.string().trim().min(1).max(2_048).optional(),
  replace_query: queryText.optional(),
  active: z.boolean().default(true),
  /** It acts from then on, and before the end. */
  from: timestamp.optional(),
  until: timestamp.optional(),
};

const endsAfterBeginning = ({ from, until }: { from?: string | undefined; until?: string | undefined }) =>
  !from || !until || Date.parse(from) < Date.parse(until);
const endsTooEarly = { path: ['until'], message: 'must be after "from"' };

export const overrideWrite = z
  .strictObject({ collection: collectionName, id: ruleId.optional(), ...overrideFields })
  .refine(endsAfterBeginning, endsTooEarly);
/** One that is tried before it is saved. */
export const overrideDraft = z
  .strictObject({ id: ruleId, ...overrideFields })
  .refine(endsAfterBeginning, endsTooEarly);
export const overrideRef = collectionRef.extend({ id: ruleId });
export const overrideList = collectionRef.extend(pageFields);

export const overrideShape = z.object({ id: ruleId, ...overrideFields }).meta({ id: 'Override' });
export type Override = z.output<typeof overrideShape>;
export const overridesShape = z.object({ overrides: z.array(overrideShape) });
