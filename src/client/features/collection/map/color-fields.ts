import type { TrpcClient } from '#client/lib/trpc.ts';
import { categoriesMax } from './point-colors.ts';

export interface ColorFields {
  /** All that points can be colored by. */
  fields: string[];
  /** Empty: none parts them into groups. */
  best: string;
}

/** Fields whose values are looked at. */
const countedMax = 16;
/** Of the documents, how many the values with a color of their own may cover: a color that all have says nothing. */
const shares = { min: 0.25, max: 0.995 };
/** What documents are called by; each has its own. */
const names = new Set(['id', 'title', 'name', 'url', 'slug', 'email', 'sku', 'isbn']);

/** A collection that takes no searches is not asked for its values. */
export async function learnColorFields(
  client: TrpcClient,
  { collection, isActive }: { collection: number; isActive: boolean },
  signal: AbortSignal,
): Promise<ColorFields> {
  const known = await client.collections.fields.query({ collection }, { signal });
  const usable = known.filter(({ types, documentCount }) => documentCount > 0 && !types.includes('geopoint'));
  const fields = usable.map(({ path }) => path);
  // A name with these characters cannot be written in `facet_by`.
  const counted = usable
    .filter(
      ({ path, types }) => types.includes('string') && !/[,(:]/.test(path) && !names.has(path.toLowerCase()),
    )
    .slice(0, countedMax);
  const amount = usable.find(({ types }) => types.includes('number') || types.includes('date'))?.path ?? '';
  if (!isActive || counted.length === 0) return { fields, best: amount };
  const facet_by = counted.map(({ path }) => path);
  const answer = await client.search.keyword.query(
    {
      collection,
      query: '*',
      facet_by,
      max_facet_values: categoriesMax,
      per_page: 0,
      enable_analytics: false,
    },
    { signal },
  );
  const covered = answer.facet_counts.map(({ field_name, counts }) => {
    const [first = 0] = counts.map(({ count }) => count);
    const sum = counts.reduce((total, { count }) => total + count, 0);
    return {
      path: field_name,
      share: sum / Math.max(1, answer.out_of),
      largest: first / Math.max(1, answer.out_of),
    };
  });
  const parting = covered.filter(({ share, largest }) => share >= shares.min && largest <= shares.max);
  const [best] = parting.toSorted((a, b) => nearOne(b.share) - nearOne(a.share));
  return { fields, best: best?.path ?? amount };
}

/** Values that cover all documents once; lists cover them several times over, and leave a document with one of many colors. */
function nearOne(share: number): number {
  return share > 1 ? 1 / share : share;
}
