import { type AskSearches, type FoundId, idOf, type SearchReply } from './multi-search.ts';
import { allOf, among, noneOf, type Query } from './query.ts';
import type { ClusterOrdered, FoundHit } from './ranked.ts';
import { hitsOf } from './ranked-words.ts';
import { idColumn } from './search-lines.ts';

/** What the documents of a group have in each field, as `groupKey` says it; null: no value. */
export type GroupKey = (string | null)[];

/** Of one request. */
const groupsAtOnce = 10_000;

interface Bucket {
  key: Record<string, string | null>;
  doc_count: number;
  head: { hits: { hits: FoundId[] } };
}

/** Every group of the candidates with its best document, ten thousand a request. */
export async function* countedGroups(
  ask: AskSearches,
  fields: string[],
  ordered: ClusterOrdered,
): AsyncGenerator<{ key: GroupKey; head: FoundHit; count: number }> {
  const sources = fields.map((field, i) => ({ [String(i)]: { terms: { field, missing_bucket: true } } }));
  const head = {
    top_hits: {
      size: 1,
      sort: ordered.sort,
      track_scores: true,
      stored_fields: '_none_',
      docvalue_fields: [idColumn],
    },
  };
  for (let after: Record<string, string | null> | null = null; ; ) {
    const composite: object = { size: groupsAtOnce, sources, ...(after && { after }) };
    const aggs = { groups: { composite, aggs: { head } } };
    const search = { size: 0, query: ordered.scored(ordered.candidates), aggs };
    const [reply]: SearchReply[] = await ask([search]);
    const { buckets = [], after_key = null } = (reply?.aggregations?.['groups'] ?? {}) as {
      buckets?: Bucket[];
      after_key?: Record<string, string | null> | null;
    };
    for (const { key, doc_count: count, head: best } of buckets) {
      const [first] = best.hits.hits;
      if (first === undefined) continue;
      const own = { ...ordered.toHit({ ...first, _id: idOf(first) }, 1), own: null };
      yield { key: fields.map((_, i) => key[String(i)] ?? null), head: own, count };
    }
    if (buckets.length < groupsAtOnce || after_key === null) return;
    after = after_key;
  }
}

/** By id, of documents. */
export async function groupKeysOf(
  ask: AskSearches,
  fields: string[],
  documents: { id: string }[],
): Promise<Map<string, GroupKey>> {
  if (documents.length === 0) return new Map();
  const ids = documents.map(({ id }) => id);
  const columns = [idColumn, ...fields.map((field) => ({ field }))];
  const [reply] = await ask([{ size: ids.length, query: among('id', ids), docvalue_fields: columns }]);
  return new Map(
    hitsOf(reply).map(({ _id, fields: found = {} }) => [
      _id,
      fields.map((field): string | null => {
        const [value] = found[field] ?? [];
        return typeof value === 'string' ? value : null;
      }),
    ]),
  );
}

/** The documents of a group. */
export function ofGroup(fields: string[], key: GroupKey): Query {
  return allOf(
    fields.map((field, i) => {
      const value = key[i] ?? null;
      return value === null ? noneOf([{ exists: { field } }]) : { term: { [field]: { value } } };
    }),
  );
}
