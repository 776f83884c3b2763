/**
 * A cursor: how far a walk over all hits has come, as text that callers hand back unread. It is bound to its search by a digest over both, so
 * that one of another search, or no cursor at all, is told apart. It holds nothing that its caller has not been shown, so it is no secret;
 * what it says is checked all the same.
 */
import { createHash } from 'node:crypto';
import type { WalkPlace } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { badRequest } from '#server/errors.ts';
import { cursorContent } from '#shared/cursor-content.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { Page } from './page-of.ts';

interface Searched {
  query: SearchQuery;
  page: Page;
}

/** The search, which goes on where the cursor says; an empty one begins a walk. @throws AppError BAD_REQUEST */
export function walkFrom(
  { id }: Pick<CollectionHandle, 'id'>,
  { query, page }: Searched,
  cursor: string | undefined,
): Searched {
  if (cursor === undefined) return { query, page };
  if (cursor === '') return { query: { ...query, walk: { from: null } }, page };
  const from = readCursor(cursor, digestOf(id, query));
  const walked = Math.floor(from.shown / Math.max(1, page.perPage)) + 1;
  return { query: { ...query, walk: { from } }, page: { ...page, page: walked, offset: from.shown } };
}

/** Null: this was the last page. */
export function nextCursor(
  { id }: Pick<CollectionHandle, 'id'>,
  query: SearchQuery,
  next: WalkPlace | null,
): string | null {
  return next === null ? null : writeCursor(next, digestOf(id, query));
}

function writeCursor({ shown, pin, last }: WalkPlace, digest: Buffer): string {
  const values = last?.values.map(({ class: kind, value }) =>
    typeof value === 'string' ? ['t', value] : [kind, String(value)],
  );
  const text = Buffer.from(JSON.stringify([shown, pin, last && [last.id, last.seal, values]]));
  return Buffer.concat([sealOf(text, digest), text]).toString('base64url');
}

/** @throws AppError BAD_REQUEST */
function readCursor(cursor: string, digest: Buffer): WalkPlace {
  const bytes = Buffer.from(cursor, 'base64url');
  const text = bytes.subarray(sealBytes);
  const isOurs =
    sealOf(text, digest).equals(bytes.subarray(0, sealBytes)) && bytes.toString('base64url') === cursor;
  const { data } = cursorContent.safeParse(isOurs ? jsonIn(text) : null);
  if (data === undefined)
    throw badRequest(
      'cursor',
      'is none of this search, or a rule has changed what is searched; send the "next_cursor" of the page before with the same parameters, or an empty one to begin',
    );
  return data;
}

function jsonIn(text: Buffer): unknown {
  try {
    return JSON.parse(text.toString());
  } catch {
    return null;
  }
}

const sealBytes = 12;

function sealOf(text: Buffer, digest: Buffer): Buffer {
  return createHash('sha256').update(digest).update(text).digest().subarray(0, sealBytes);
}

/** What of a query has no part in which hits there are and in which order. */
const aside: readonly (keyof SearchQuery)[] = [
  'facets',
  'facetQuery',
  'facetValuesMax',
  'areFacetsDisjunctive',
  'walk',
  'offset',
  'limit',
  'highlightFields',
  'isExplained',
  'sourceBytesMax',
  'answerBytesMax',
];

function digestOf(collectionId: number, { vector, group, ...query }: SearchQuery): Buffer {
  // What is only told of hits changes neither.
  const isTold = (name: string) =>
    name === 'relevance' ? query.relevance?.min != null : !aside.some((each) => each === name);
  const told = Object.entries(query).filter(([name]) => isTold(name));
  const grouped = group && { ...group, limit: 0 };
  const hash = createHash('sha256').update(JSON.stringify([collectionId, told, grouped]));
  if (vector !== null) hash.update(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
  return hash.digest();
}
