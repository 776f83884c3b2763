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

/** For a link to a search of one collection: its first hits, and what they can be narrowed by, are asked for without waiting for the page. */
export async function fetchSearchAhead(
  context: RouterContext,
  workspaceId: number,
  state: SearchState,
): Promise<void> {
  const { client, queryClient, trpc: loaders } = context;
  const id = state.collection;
  if (id === undefined) return;
  const shape = fetchShapeAhead(context, id);
  // What fails is asked again by the page, which tells it.
  const collections = await loaders.collections.list.ensureData({ workspaceId }).catch(() => []);
  const collection = collections.find((one) => one.id === id);
  if (collection?.isActive) {
    const scope = { state: effectiveState(state), collection, collections: [] };
    await queryClient.prefetchQuery(toQuery(toQuestion(client, scope, null)));
  }
  await shape;
}
