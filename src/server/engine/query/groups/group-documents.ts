/**
 * Which candidates form a group: those with the same values in all fields that are grouped by. A number for each, refined field by field.
 * O(candidates · fields).
 */
import type { Bitset } from '../../bits/bitset.ts';
import type { SearchScratch } from '../../memory/search-scratch.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { FieldKeys, several } from './field-keys.ts';
import type { EngineGroup, Grouping } from './grouping.ts';

export interface GroupedDocuments {
  /** By ordinal, of the candidates. */
  groups: Int32Array;
  /** Above all numbers of groups; one of them may have no document. */
  count: number;
  keyOf: (ordinal: number) => EngineGroup['key'];
}

interface GroupScope {
  columns: ColumnStore;
  scratch: SearchScratch;
  /** Ordinals there are. */
  capacity: number;
  budget: WorkBudget;
}

/** Units of work: for a document in a field, and for each of its values where they are several. */
const documentUnits = 64;
const valueUnits = 96;
/** Above all numbers of groups and keys, both of which are at most as many as ordinals. */
const keysMax = 2 ** 25;

export function* groupDocuments(
  candidates: Bitset,
  { fields, joinsMissing }: Grouping,
  scope: GroupScope,
): Steps<GroupedDocuments> {
  const { columns, scratch, capacity } = scope;
  const groups = scratch.integers('groups', capacity);
  const keys = fields.map((path) => columns.field(path)).map((field) => field && new FieldKeys(field));
  let count = 1;
  yield* candidates.visit((ordinal) => {
    groups[ordinal] = 0;
  });
  for (const own of keys)
    if (own !== undefined) count = yield* refine({ groups, count }, candidates, own, scope);
  const keyOf = (ordinal: number) => keys.map((own) => own?.valuesOf(ordinal) ?? null);
  if (joinsMissing) return { groups, count, keyOf };
  yield* candidates.visit((ordinal) => {
    if (keys.some((own) => own !== undefined && own.keyOf(ordinal) !== 0)) return;
    groups[ordinal] = count;
    count += 1;
  });
  return { groups, count, keyOf };
}

/** Parts each group by what its documents have in one more field. @returns how many groups there are; one without a document may be among them */
function* refine(
  { groups, count }: Pick<GroupedDocuments, 'groups' | 'count'>,
  candidates: Bitset,
  keys: FieldKeys,
  { scratch, capacity, budget }: GroupScope,
): Steps<number> {
  const refined = new Map<number, number>();
  const isWhole = count === 1;
  const take = (ordinal: number, key: number) => {
    if (isWhole) {
      groups[ordinal] = key;
      return;
    }
    const pair = (groups[ordinal] ?? 0) * keysMax + key;
    const group = refined.get(pair) ?? refined.size;
    if (group === refined.size) refined.set(pair, group);
    groups[ordinal] = group;
  };
  budget.spend(candidates.count() * documentUnits);
  // Nobody needs these yet.
  const later = scratch.integers('heads', capacity + 1);
  let waiting = 0;
  yield* candidates.visit((ordinal) => {
    const key = keys.keyOf(ordinal);
    if (key !== several) return take(ordinal, key);
    later[waiting] = ordinal;
    waiting += 1;
  });
  for (let i = 0; i < waiting; i += 1) {
    const ordinal = later[i] ?? 0;
    const units = keys.countOf(ordinal) * valueUnits;
    budget.spend(units);
    take(ordinal, keys.keyOfSeveral(ordinal));
    if (isPauseDue(units)) yield;
  }
  return isWhole ? keys.count + 1 : refined.size;
}
