import type { Query, QueryClient } from '@tanstack/react-query';
import { type LiveChange, requestsNoun } from '#shared/live.ts';
import { nounsShowing } from '../invalidate.ts';
import { isRecord } from '../json.ts';
import type { LiveMessage } from './live-stream.ts';
import { isOwnRequest } from './own-requests.ts';

/** What comes within it is seen to together: an act of somebody is often several changes, and the answer to one's own is under way. */
const togetherMs = 250;

/**
 * Fetches anew what is on screen and was changed elsewhere, and on its next use what is not on screen. What is being fetched is left to come first:
 * during an import something changes each second, and a slow answer that is given up each second never comes.
 */
export function applyChanges(queryClient: QueryClient): {
  take: (message: LiveMessage) => void;
  stop: () => void;
} {
  let waiting: LiveChange[] = [];
  let isAll = false;
  /** What was told of requests before the stream began is told nobody. */
  let areRequestsNew = false;
  /** Out of date, by their hashes. */
  const due = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function apply(): void {
    timer = undefined;
    // Its answer says which request it was, and fetches what it has changed.
    if (queryClient.isMutating() > 0) {
      start();
      return;
    }
    const changes = waiting.filter(({ requestId }) => !isOwnRequest(requestId));
    const all = isAll;
    waiting = [];
    isAll = false;
    const areNew = areRequestsNew;
    areRequestsNew = false;
    const queries = queryClient.getQueryCache().getAll();
    for (const query of queries)
      if (
        all ||
        (areNew && routerOf(query) === requestsNoun) ||
        changes.some((change) => isConcerned(query, change))
      )
        due.add(query.queryHash);
    const ready = new Set(queries.filter((query) => due.has(query.queryHash) && isAtRest(query)));
    const known = new Set(queries.map(({ queryHash }) => queryHash));
    for (const hash of due) if (!known.has(hash)) due.delete(hash);
    for (const { queryHash } of ready) due.delete(queryHash);
    if (due.size > 0) start();
    if (ready.size > 0) void queryClient.invalidateQueries({ predicate: (query) => ready.has(query) });
  }
  function start(): void {
    timer ??= setTimeout(apply, togetherMs);
  }

  return {
    take(message) {
      if (message.kind === 'change') waiting.push(message.change);
      else if (message.kind === 'ready') areRequestsNew = true;
      else isAll = true;
      start();
    },
    stop: () => clearTimeout(timer),
  };
}

function routerOf({ queryKey: [path] }: Pick<Query, 'queryKey'>): string {
  return Array.isArray(path) ? String(path[0]) : '';
}

function isAtRest({ state }: Query): boolean {
  return state.fetchStatus !== 'fetching';
}

/** What it shows may have changed: unless it says that it is about another workspace, or about other collections. */
function isConcerned(
  { queryKey, meta }: Pick<Query, 'queryKey' | 'meta'>,
  { noun, workspaceId, id }: LiveChange,
): boolean {
  const [, options] = queryKey;
  if (!nounsShowing(noun).includes(routerOf({ queryKey }))) return false;
  const input = isRecord(options) && isRecord(options['input']) ? options['input'] : {};
  const own = input['workspaceId'];
  if (own !== undefined && own !== workspaceId) return false;
  const isOfCollection = noun === 'documents' || noun === 'collections';
  const shown = meta?.collections ?? (typeof input['collection'] === 'number' ? [input['collection']] : null);
  return !isOfCollection || id === null || shown === null || shown.includes(id);
}
