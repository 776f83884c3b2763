import type { QueryClient } from '@tanstack/react-query';
import { asIs, bringSessionBack } from '../session-keeper.ts';
import type { TrpcClient } from '../trpc.ts';

/** Within it a sign-out in this browser is told by its own tab. */
const settledMs = 400;

interface SessionCheckParts {
  queryClient: QueryClient;
  client: TrpcClient;
  /** The stream has ended, and somebody is signed in all the same, or nobody knows. */
  onStillThere: () => void;
}

/**
 * Asks who is signed in when the stream of changes has ended or is refused, so that a session that was ended elsewhere (on another device, by a new
 * password, with its account) is noticed without a click.
 */
export function sessionCheck({ queryClient, client, onStillThere }: SessionCheckParts) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isEnded = false;
  let isStopped = false;

  function start(): void {
    timer ??= setTimeout(() => void check(), settledMs);
  }
  async function check(): Promise<void> {
    timer = undefined;
    // It may be a sign-out that is under way.
    if (queryClient.isMutating() > 0) return start();
    const now = await client.auth.me.query(undefined, asIs).catch(() => null);
    if (isStopped) return;
    if (now?.user === null) await bringSessionBack();
    else if (isEnded) onStillThere();
  }

  return {
    /** The stream was refused, or is broken for another reason. */
    onBreak: start,
    onEnd() {
      isEnded = true;
      start();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
