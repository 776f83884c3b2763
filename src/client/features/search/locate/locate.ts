import { titleOf } from '#client/lib/document-title.ts';
import type { TrpcClient } from '#client/lib/trpc.ts';
import type { SearchAnswer } from '#shared/search.ts';
import type { ExplainAnswer } from '#shared/standing.ts';
import { effectiveMode, pageRequest, searchRequest } from '../search-request.ts';
import type { SearchState } from '../search-state.ts';

/** What was found of what was typed: where the document stands, or documents that may be meant. */
export type Located =
  | { kind: 'standing'; title: string; standing: ExplainAnswer }
  | { kind: 'choice'; documents: TopHit[] };

const choicesMax = 6;

interface Wanted {
  state: SearchState;
  collection: number;
  /** An id, or words of a title. */
  wanted: string;
}

/** By id where there is one, by title where one alone is called so; otherwise what may be meant. */
export async function locate(
  client: TrpcClient,
  { state, collection, wanted }: Wanted,
  signal: AbortSignal,
): Promise<Located> {
  const standing = await standingOf(client, { state, collection, id: wanted }, signal);
  if (standing.lost?.step !== 'document') {
    const [found] = await titlesOf(client, { collection, filter_by: idFilter(wanted) }, signal);
    return { kind: 'standing', title: found?.title ?? wanted, standing };
  }
  const documents = await titlesOf(client, { collection, query: wanted }, signal);
  const called = documents.filter(({ title }) => title.toLowerCase() === wanted.toLowerCase());
  const [only] = called.length > 0 ? called : documents;
  if (only && (called.length === 1 || documents.length === 1)) {
    return {
      kind: 'standing',
      title: only.title,
      standing: await standingOf(client, { state, collection, id: only.id }, signal),
    };
  }
  return { kind: 'choice', documents };
}

function idFilter(id: string): string {
  return `id:=\`${id.replaceAll('`', '``')}\``;
}

function standingOf(
  client: TrpcClient,
  { state, collection, id }: { state: SearchState; collection: number; id: string },
  signal: AbortSignal,
): Promise<ExplainAnswer> {
  const mode = effectiveMode(state);
  return client.search.explain.query(
    { collection, id, mode, ...searchRequest(state, []), ...pageRequest(state) },
    { signal },
  );
}

async function titlesOf(
  client: TrpcClient,
  { collection, ...search }: { collection: number; query?: string; filter_by?: string },
  signal: AbortSignal,
): Promise<TopHit[]> {
  const answer = await client.search.keyword.query(
    { query: '*', ...search, collection, per_page: choicesMax, enable_analytics: false },
    { signal },
  );
  return topHits(answer);
}

export interface TopHit {
  id: string;
  title: string;
}

/** In their order. */
function topHits(answer: Pick<SearchAnswer, 'hits'> | { grouped_hits: unknown }): TopHit[] {
  const hits = 'hits' in answer ? answer.hits : [];
  return hits.map(({ id, document }) => ({ id, title: titleOf(id, document) }));
}

/** The first ten of a search, for before and after. */
export async function topTen(
  client: TrpcClient,
  { state, collection }: Omit<Wanted, 'wanted'>,
  signal: AbortSignal,
): Promise<TopHit[]> {
  const answer = await client.search[effectiveMode(state)].query(
    { collection, ...searchRequest(state, []), ...pageRequest(state), enable_analytics: false },
    { signal },
  );
  return topHits(answer);
}
