import { parseJson, readSyntax, textsByField } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import type { FoundDocument, SearchQuery } from '#server/engine/types.ts';
import { badRequest } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchParameters } from '#shared/search-parameters.ts';
import type { EngineReply } from '../../host/engine-calls.ts';
import { findTooLarge } from '../answer-bytes.ts';
import { headsText } from '../headed-text.ts';
import type { Page } from '../page-of.ts';
import { jsonElements } from './json-elements.ts';

/** What reads a query and documents together: a score for each document, null where there is none; or why there are none. */
export interface Reranker {
  scores(
    query: string,
    documents: string[],
    asking: { owner: string; signal?: AbortSignal | undefined },
  ): Promise<{ scores: (number | null)[] } | { reason: string }>;
}

type Answer = EngineReply<'search'>;

interface RerankParts {
  reranker: Reranker;
  /** The account that the collection counts for. */
  owner: string;
  /** What the engine finds, within so many bytes. */
  ask: (query: SearchQuery, bytesMax: number) => Promise<Answer>;
  documents: (ids: string[]) => Promise<(FoundDocument | null)[]>;
  /** Of the page. */
  bytesMax: number;
  signal: AbortSignal | undefined;
}

const notWith = ['sort_by', 'group_by', 'cursor'] as const;

/** @throws AppError BAD_REQUEST where hits cannot be ordered anew */
export function assertRerankable(reranker: Reranker | null, parameters: SearchParameters): Reranker {
  if (reranker === null)
    throw badRequest('rerank', 'needs a service for it: whoever runs the server sets RERANK_URL');
  const other = notWith.find((name) => parameters[name] !== undefined);
  if (other !== undefined) throw badRequest('rerank', `does not go with "${other}"`);
  return reranker;
}

/** A hit, and what it is in the list by. */
interface Listed {
  text: Uint8Array;
  head: { id: string; score: number };
  isPinned: boolean;
}

/**
 * A page, the best hits of whose list stand in the order of a service; pins stay in their places, and what it has no score for behind the others. Where
 * there is no such order the hits stay as they are, and why is told. @throws AppError as searches do
 */
export async function rerankedPage(
  { query, page }: { query: SearchQuery; page: Page },
  { reranker, owner, ask, documents, bytesMax, signal }: RerankParts,
): Promise<{ answer: Answer; reason: string | null }> {
  const { offset, perPage } = page;
  if (offset >= limits.rerankedHits) return { answer: await ask(query, bytesMax), reason: null };
  const words = readSyntax(query.text).text.trim();
  if (words === '' || words === '*')
    return { answer: await ask(query, bytesMax), reason: 'there are no words to rank by' };
  const best = { ...query, offset: 0, limit: Math.max(limits.rerankedHits, offset + perPage) };
  const answer = await ask(best, Math.min(bytesMax, limits.rerankAnswerBytesMax)).catch((error: unknown) => {
    if (findTooLarge(error) === null) throw error;
    return null;
  });
  if (answer === null)
    return {
      answer: await ask(query, bytesMax),
      reason: 'the best hits have too many bytes together: "include_fields" asks for parts of them',
    };
  const listed = jsonElements(answer.hits).map(toListed);
  const { order, reason } = await orderOf(words, listed, { reranker, owner, documents, signal });
  return { answer: withPage(answer, order.slice(offset, offset + perPage)), reason };
}

async function orderOf(
  words: string,
  listed: Listed[],
  { reranker, owner, documents, signal }: Pick<RerankParts, 'reranker' | 'owner' | 'documents' | 'signal'>,
): Promise<{ order: Listed[]; reason: string | null }> {
  const movable = listed.slice(0, limits.rerankedHits).filter(({ isPinned }) => !isPinned);
  if (movable.length < 2) return { order: listed, reason: null };
  // Those alone that have so many bytes together.
  const texts = (await documents(movable.map(({ head }) => head.id))).map(textOf);
  const outcome = await reranker.scores(words, texts, { owner, signal });
  if ('reason' in outcome) return { order: listed, reason: outcome.reason };
  const scored = movable.map((hit, i) => ({ hit, score: outcome.scores[i] ?? null }));
  const worst = Number.NEGATIVE_INFINITY;
  const next = scored
    .toSorted((a, b) =>
      (a.score ?? worst) === (b.score ?? worst) ? 0 : (b.score ?? worst) - (a.score ?? worst),
    )
    .map(({ hit, score }) => withScore(hit, score))
    .values();
  const isMovable = new Set(movable);
  return {
    order: listed.map((hit) => (isMovable.has(hit) ? (next.next().value ?? hit) : hit)),
    reason: null,
  };
}

function toListed(text: Uint8Array): Listed {
  const hit: { id: string; score: number; curated?: true } = JSON.parse(Buffer.from(text).toString());
  return { text, head: { id: hit.id, score: hit.score }, isPinned: hit.curated === true };
}

/** What of a document is read: the beginning of its texts, in their order. */
function textOf(document: FoundDocument | null): string {
  if (document === null) return '';
  const fields = runSteps(parseJson(Buffer.from(document.source).toString())) as Record<string, unknown>;
  const texts = runSteps(textsByField(fields, null));
  const all = [...texts.values()].flat().join('\n');
  return all.slice(0, limits.rerankCharactersMax).toWellFormed();
}

function withScore({ text, ...hit }: Listed, score: number | null): Listed {
  if (score === null) return { text, ...hit };
  const head = Buffer.from(`{"rerank_score":${JSON.stringify(score)},`);
  return { text: Buffer.concat([head, text.subarray(1)]), ...hit };
}

function withPage(answer: Answer, hits: readonly Listed[]): Answer {
  const texts = hits.flatMap(({ text }, i) => (i === 0 ? [text] : [Buffer.from(','), text]));
  const bytes = Buffer.concat([Buffer.from('['), ...texts, Buffer.from(']')]);
  return { ...answer, hits: bytes, heads: headsText(hits.map(({ head }) => head)) };
}
