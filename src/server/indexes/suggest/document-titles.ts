import { AnswerTooLargeError, tokenize } from '#server/engine/search-index.ts';
import type { FieldView } from '#server/engine/types.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { SearchHit } from '#shared/search.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { Reader } from '../search/merged-members.ts';
import { plainQuery } from '../search/query.ts';

/** Fields that people know a document by. */
export const titleFields = ['title', 'name'];
/** A longer title is a text. */
const titleCharactersMax = 100;
const titlesBytesMax = 256 * 1024;
/** So few letters begin too many words to look for documents with each of them: at 100,000 documents that took 20 ms. */
const bytesMin = 3;
/** Behind a whole word they are looked for in so many of the best titles that have it. */
const titlesMax = 50;

/** Titles of the documents whose title is about a text, its last word a beginning; the best first, each once, and others among them. */
export async function titlesLike(
  registry: Reader,
  collection: CollectionHandle,
  { text, limit, signal }: { text: string; limit: number; signal: AbortSignal | undefined },
): Promise<string[]> {
  const tokens = tokenize(text);
  const last = tokens.at(-1);
  if (last === undefined) return [];
  const isShort = Buffer.byteLength(last.token) < bytesMin;
  if (isShort && tokens.length === 1) return [];
  const known = await registry.read(collection, { call: 'fields' }, signal);
  const names = titleFields.filter((name) => known.some((field) => isText(field, name)));
  if (names.length === 0) return [];
  const query = plainQuery(undefined, {
    text: isShort ? text.slice(0, last.start) : text,
    prefix: !isShort,
    fields: names.map((name) => ({ name, weight: 1 })),
    typosMax: 2,
    wordBreaks: 'fallback',
    // The same title may be that of several.
    limit: isShort ? titlesMax : 2 * limit,
  });
  const shown = { include_fields: names };
  try {
    const request = { call: 'search', query, shown, bytesMax: titlesBytesMax } as const;
    const { hits } = await registry.read(collection, request, signal);
    const titles = new JsonText<SearchHit[]>(hits).parse().map(({ document }) => titleOf(document));
    return [...new Set(titles.filter((title) => title !== null))];
  } catch (error) {
    // Titles that are whole books complete nothing.
    if (error instanceof AnswerTooLargeError) return [];
    throw error;
  }
}

function isText({ path, types, documentCount }: FieldView, name: string): boolean {
  return path === name && documentCount > 0 && types.includes('string');
}

function titleOf(document: SearchHit['document']): string | null {
  for (const field of titleFields) {
    const title = document[field];
    if (typeof title === 'string' && title !== '' && title.length <= titleCharactersMax) return title;
  }
  return null;
}
