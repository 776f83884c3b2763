import { z } from 'zod';
import { collectionName, collectionRef } from './collections.ts';
import { documentedAs } from './documented-as.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';
import { ruleId, ruleText } from './rule-id.ts';

const member = ruleText(limits.synonymCharactersMax);
const most = limits.synonymMembersMax;
const members = documentedAs(
  // Counted before any is looked at: thousands of bad ones would be as many faults.
  z.array(z.unknown()).min(1, 'is required').max(most, `must be at most ${most} words`).pipe(z.array(member)),
  z.array(member).min(1).max(most),
);

/** Without a root each word finds all; with one a query that holds the root finds the words too, and not the other way. */
const synonymFields = {
  id: ruleId.optional(),
  synonyms: members,
  root: member.nullish(),
};
const isEnough = ({ synonyms, root }: { synonyms: string[]; root?: string | null | undefined }) =>
  Boolean(root) || synonyms.length > 1;
const tooFew = { path: ['synonyms'], message: 'must be at least two words, or one and a root' };

export const synonymWrite = z
  .strictObject({ collection: collectionName, ...synonymFields })
  .refine(isEnough, tooFew);
/** A row of an upload. */
export const synonymRow = z.strictObject(synonymFields).refine(isEnough, tooFew);
/** One that is tried before it is saved. */
export const synonymDraft = z
  .strictObject({ id: ruleId, synonyms: members, root: member.nullable() })
  .refine(isEnough, tooFew);
export const synonymRef = collectionRef.extend({ id: ruleId });
export const synonymList = collectionRef.extend(pageFields);

export const synonymShape = z
  .object({ id: ruleId, synonyms: z.array(member), root: member.nullable() })
  .meta({ id: 'Synonym' });
export type Synonym = z.output<typeof synonymShape>;
export const synonymsShape = z.object({ synonyms: z.array(synonymShape) });
