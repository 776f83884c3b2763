import { z } from 'zod';
import { collectionName } from './collections.ts';
import { timestamp } from './fields.ts';
import { overrideDraft } from './overrides.ts';
import { ruleId } from './rule-id.ts';
import { searchModes } from './search.ts';
import { searchParameters } from './search-parameters.ts';
import { searchSettings } from './search-settings.ts';
import { synonymDraft } from './synonyms.ts';

/** Synonyms, or overrides, that one draft writes or removes. */
const draftedMax = 20;

const removed = z.array(ruleId).max(draftedMax);

/** Changes of a collection's rules that are not saved. What has the id of another takes its place. */
export const ruleDraft = z.strictObject({
  /** In place of the saved ones, all of them. */
  settings: searchSettings.optional(),
  synonyms: z
    .strictObject({ put: z.array(synonymDraft).max(draftedMax).default([]), remove: removed.default([]) })
    .optional(),
  overrides: z
    .strictObject({ put: z.array(overrideDraft).max(draftedMax).default([]), remove: removed.default([]) })
    .optional(),
});
export type RuleDraft = z.output<typeof ruleDraft>;

/** A search, answered as if the draft were saved. */
export const searchPreviewInput = searchParameters
  .pick({ query: true, filter_by: true, per_page: true, include_fields: true })
  .extend({
    collection: collectionName,
    mode: z.enum(searchModes),
    draft: ruleDraft,
    /** The moment that overrides are asked of; absent: now. */
    at: timestamp.optional(),
  });
