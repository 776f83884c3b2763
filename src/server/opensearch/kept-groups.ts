import { type EngineGroup, parseJson, typedValues } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { EngineHit, FieldType } from '#server/engine/types.ts';
import { groupValue } from './group-values.ts';
import type { ListedPage } from './placed-hits.ts';

/** Hits without those that have gone since they were found, and their groups with what their documents have in common. */
export function* keptGroups(
  found: (EngineHit | null)[],
  groups: ListedPage['groups'],
  { fields, declared }: { fields: string[]; declared: { name: string; type: FieldType }[] },
): Steps<{ hits: EngineHit[]; groups: EngineGroup[] | null }> {
  const hits = found.filter((hit) => hit !== null);
  if (groups === null) return { hits, groups };
  const kept: EngineGroup[] = [];
  let end = 0;
  for (const group of groups) {
    end += group.hits;
    const own = found.slice(end - group.hits, end).filter((hit) => hit !== null);
    const [head] = own;
    if (head === undefined) continue;
    kept.push({ key: yield* keyOf(head, fields, declared), found: group.found, hits: own.length });
    yield;
  }
  return { hits, groups: kept };
}

/** By field. */
export function* keyOf(
  { source }: Pick<EngineHit, 'source'>,
  fields: string[],
  declared: { name: string; type: FieldType }[],
): Steps<EngineGroup['key']> {
  const document = (yield* parseJson(Buffer.from(source).toString())) as Record<string, unknown>;
  const values = yield* typedValues(document, declared);
  return fields.map((path) => groupValue(values.find((field) => field.path === path)));
}
