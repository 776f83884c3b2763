import type { Query, QueryClient } from '@tanstack/react-query';
import type { LiveChange } from '#shared/live.ts';
import { nounsShowing } from '../invalidate.ts';
import { isRecord } from '../json.ts';
import type { LiveMessage } from './live-stream.ts';
import { isOwnRequest } from './own-requests.ts';

/** What comes within it is seen to together: an act of somebody is often several changes, and the answer to one's own is under way. */
const togetherMs = 250;

/** Fetches anew what is on screen and was changed elsewhere, and on its next use what is not on screen. */
export function applyChanges(queryClient: QueryClient): {
  take: (message: LiveMessage) => void;
  stop: () => void;
} {
  let waiting: LiveChange[] = [];
  let isAll = false;
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
    if (!all && changes.length === 0) return;
    void queryClient.invalidateQueries({
      predicate: (query) => all || changes.some((change) => isConcerned(query, change)),
    });
  }
  function start(): void {
    timer ??= setTimeout(apply, togetherMs);
  }

  return {
    take(message) {
      if (message.kind === 'ready') return;
      if (message.kind === 'change') waiting.push(message.change);
      else isAll = true;
      start();
    },
    stop: () => clearTimeout(timer),
  };
}

/** What it shows may have changed: unless it says that it is about another workspace, or about another thing of the same kind. */
function isConcerned({ queryKey }: Pick<Query, 'queryKey'>, { noun, workspaceId }: LiveChange): boolean {
  const [path, options] = queryKey;
  const router = Array.isArray(path) ? String(path[0]) : '';
  if (!nounsShowing(noun).includes(router)) return false;
  const input = isRecord(options) && isRecord(options['input']) ? options['input'] : {};
  const own = input['workspaceId'];
  return own === undefined || own === workspaceId;
}
