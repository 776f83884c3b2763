import { titleFieldOf, titleFields } from '#client/lib/document-title.ts';
import { quoted } from '#client/lib/quoted.ts';
import type { TrpcClient } from '#client/lib/trpc.ts';
import type { StoredDocument } from '#shared/documents.ts';

/** What requests for a collection are filled in with. */
export interface CollectionSample {
  fields: { path: string; types: string[] }[];
  /** A few of its first ones. */
  documents: StoredDocument[];
  /** Of a document that others can be compared with; null: none has a vector. */
  comparableId: string | null;
}

const documentsRead = 10;

export async function readSample(
  client: TrpcClient,
  collection: number,
  signal: AbortSignal,
): Promise<CollectionSample> {
  const [fields, page] = await Promise.all([
    client.collections.fields.query({ collection }, { signal }),
    client.documents.list.query({ collection, per_page: documentsRead }, { signal }),
  ]);
  const { documents } = page;
  const comparableId = await readComparable(client, { collection, first: documents[0]?.id }, signal);
  return { fields, documents, comparableId };
}

/** The first one if it has a vector, which nearly all have; else any that has. */
async function readComparable(
  client: TrpcClient,
  { collection, first: id }: { collection: number; first: string | undefined },
  signal: AbortSignal,
): Promise<string | null> {
  if (id === undefined) return null;
  const first = await client.documents.get.query({ collection, id, include_embedding: true }, { signal });
  if ('embedding' in first) return id;
  const { ids } = await client.documents.map.query({ collection, with_vectors: false }, { signal });
  return ids[0] ?? null;
}

export interface FittedValues {
  /** Of a document that is there. */
  id: string | undefined;
  otherId: string | undefined;
  comparableId: string | undefined;
  /** By the names of search parameters; `undefined`: the collection has nothing for it. */
  searched: Partial<
    Record<'query' | 'query_by' | 'filter_by' | 'sort_by' | 'facet_by' | 'message', string | undefined>
  >;
}

const searchedFieldsMax = 3;
const queryWords = 3;
const labelCharactersMax = 30;

export function fittedValues(sample: CollectionSample | null): FittedValues {
  if (!sample) return { id: undefined, otherId: undefined, comparableId: undefined, searched: {} };
  const [first, second] = sample.documents;
  // A name with these characters cannot be written in a list of fields.
  const plain = sample.fields.filter(({ path }) => !/[,(:]/.test(path) && path !== 'id');
  const texts = plain.filter(({ types }) => types[0] === 'string').map(({ path }) => path);
  const titles = texts.filter((path) => titleFields.includes(path));
  const number = plain.find(({ types }) => types.includes('number'))?.path;
  const label = texts.find((path) => isLabel(sample.documents, path));
  const query = wordsOf(first) ?? 'hello';
  return {
    id: first?.id,
    otherId: second?.id,
    comparableId: sample.comparableId ?? first?.id,
    searched: {
      query,
      message: `What is there about ${query}?`,
      query_by: [...new Set([...titles, ...texts])].slice(0, searchedFieldsMax).join(',') || undefined,
      filter_by: filterOf(first, { number, label }),
      sort_by: number === undefined ? '_score:desc' : `_score:desc,${number}:desc`,
      facet_by: label ?? number,
    },
  };
}

/** A few words that find something. */
function wordsOf(document: StoredDocument | undefined): string | undefined {
  const field = document && titleFieldOf(document);
  const words = field === undefined ? [] : String(document?.[field]).match(/[\p{L}\p{N}]+/gu);
  return words?.slice(0, queryWords).join(' ') || undefined;
}

function isLabel(documents: StoredDocument[], path: string): boolean {
  const values = documents.flatMap((document) => document[path] ?? []);
  const areShort = values.every((value) => typeof value === 'string' && value.length <= labelCharactersMax);
  return values.length > 0 && areShort && !titleFields.includes(path);
}

/** One that the first document passes. */
function filterOf(
  document: StoredDocument | undefined,
  { number, label }: { number: string | undefined; label: string | undefined },
): string | undefined {
  const least = number === undefined ? undefined : document?.[number];
  if (number !== undefined && typeof least === 'number') return `${quoted(number)}:>=${least}`;
  const [value] = label === undefined ? [] : [document?.[label]].flat();
  if (label !== undefined && typeof value === 'string') return `${quoted(label)}:=${quoted(value)}`;
  return undefined;
}
