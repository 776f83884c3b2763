import type { RouterContext } from '#client/lib/router-context.ts';
import { toQuery } from '#client/lib/use-newest-answer.ts';
import { effectiveState, shapeQuery, toQuestion } from './search-questions.ts';
import type { SearchState } from './search-state.ts';

export function fetchShapeAhead(
  { client, queryClient }: Pick<RouterContext, 'client' | 'queryClient'>,
  collection: number,
): Promise<void> {
  return queryClient.prefetchQuery(shapeQuery(client, collection));
}

/** For a link to a search of one collection: its first hits are asked for without waiting for the page. */
export async function fetchSearchAhead(
  { client, queryClient, trpc: loaders }: RouterContext,
  workspaceId: number,
  state: SearchState,
): Promise<void> {
  const id = state.collection;
  if (id === undefined) return;
  const shape = queryClient.fetchQuery(shapeQuery(client, id));
  const list = loaders.collections.list.ensureData({ workspaceId });
  const [learned, collections] = await Promise.allSettled([shape, list]);
  // What fails is asked again by the page, which tells it.
  if (learned.status === 'rejected' || collections.status === 'rejected') return;
  const collection = collections.value.find((one) => one.id === id);
  if (!collection?.isActive) return;
  const scope = { state: effectiveState(state), collection, collections: [] };
  await queryClient.prefetchQuery(toQuery(toQuestion(client, scope, learned.value.facets)));
}
