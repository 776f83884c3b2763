import { HeadedText } from '#server/indexes/search/headed-text.ts';
import type { AnswerList, KeptHit } from '#shared/requests.ts';

/** Of several searches of one request. */
const listsMax = 10;
/** Of all ids, which have up to 512 bytes each: those of ten lists of usual ones. */
const idCharactersMax = 4_096;

/** What of an answer is kept: how much was found, and the first documents of it; null: nothing of this one is. */
export function keptAnswer(
  operation: string,
  answered: { input: unknown; output: unknown },
): AnswerList[] | null {
  const lists = listsOf(operation, answered);
  let left = idCharactersMax;
  const fits = ({ id }: KeptHit) => {
    left -= id.length;
    return left >= 0;
  };
  return lists?.map(({ found, hits }) => ({ found, hits: hits.filter(fits) })) ?? null;
}

function listsOf(
  operation: string,
  { input, output }: { input: unknown; output: unknown },
): AnswerList[] | null {
  if (!isObject(output)) return null;
  if (operation === 'documents.get' && isObject(input))
    return [{ found: 1, hits: [{ id: String(input['id']), score: null }] }];
  const { results } = output;
  if (Array.isArray(results)) return results.slice(0, listsMax).map((result) => listOf(result) ?? nothing);
  const list = listOf(output);
  return list && [list];
}

const nothing: AnswerList = { found: null, hits: [] };

function listOf(output: unknown): AnswerList | null {
  if (!isObject(output)) return null;
  const { found, hits, grouped_hits: groups, suggestions } = output;
  if (Array.isArray(suggestions)) return { found: suggestions.length, hits: suggestions.map(toSuggested) };
  if (typeof found !== 'number') return null;
  return { found, hits: hitsOf(hits ?? groups) };
}

/** A merged list has a text for each of its hits. */
function hitsOf(hits: unknown): readonly KeptHit[] {
  if (hits instanceof HeadedText) return hits.heads;
  return Array.isArray(hits) ? hits.slice(0, 10).flatMap(hitsOf) : [];
}

function toSuggested({ query }: { query: string }): KeptHit {
  return { id: query, score: null };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
