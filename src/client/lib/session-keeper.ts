import { TRPCClientError } from '@trpc/client';
import type { TRPCLink } from '@trpc/react-query';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { isUnauthorized } from './error-message.ts';
import { isRecord } from './json.ts';

/**
 * Resolves to whether the session is back for the one who had it, and what was refused can be sent again; null where there was none to
 * keep.
 */
export type SessionKeeper = () => Promise<boolean | null>;

let keeper: SessionKeeper | null = null;

/** Names who brings back a session that ended in the middle of work, and answers how to step back. */
export function keepSessionBy(own: SessionKeeper): () => void {
  keeper = own;
  return () => {
    if (keeper === own) keeper = null;
  };
}

/** For requests outside of tRPC that were refused because the session has ended. */
export async function bringSessionBack(): Promise<boolean | null> {
  return keeper === null ? null : keeper();
}

/** For who asks who is signed in to hear just that. */
export const asIs = { context: { isAsIs: true } };

/** A request that is refused although its session is back is not refused for the session. */
const sendingsMax = 3;

/** What is refused because the session has ended waits for its return and is sent again, as it was. */
export const heldUntilSignedIn: TRPCLink<AnyRouter> = () => (request) => {
  const { op, next } = request;
  const isWho = op.path === 'auth.me' && op.context['isAsIs'] !== true;
  if (op.path.startsWith('auth.') && !isWho) return next(op);
  return observable((observer) => {
    let isGivenUp = false;
    let sendings = 0;
    let asking = { unsubscribe: () => {} };
    /** The answer that nobody is signed in, of which the keeper may know better. */
    const holdNobody = async (answer: Parameters<typeof observer.next>[0]) => {
      const isBack = await keeper?.();
      if (isGivenUp) return;
      if (isBack) return send();
      observer.next(answer);
      observer.complete();
    };
    const send = () => {
      sendings += 1;
      let isHeldBack = false;
      asking = next(op).subscribe({
        next(answer) {
          isHeldBack = isWho && keeper !== null && sendings < sendingsMax && isNobody(answer.result);
          if (isHeldBack) void holdNobody(answer);
          else observer.next(answer);
        },
        complete() {
          if (!isHeldBack) observer.complete();
        },
        async error(error) {
          const isHeld = keeper !== null && isUnauthorized(error) && sendings < sendingsMax;
          const isBack = isHeld ? await keeper?.() : null;
          if (isGivenUp) return;
          if (isBack) send();
          else observer.error(isBack === false ? notSent() : error);
        },
      });
    };
    send();
    return () => {
      isGivenUp = true;
      asking.unsubscribe();
    };
  });
};

function isNobody(result: object): boolean {
  return 'data' in result && isRecord(result.data) && result.data['user'] === null;
}

/** Not the server's refusal, which would end the session of whoever has come instead. */
function notSent() {
  return TRPCClientError.from<AnyRouter>(new Error('Your session has ended. This was not sent.'));
}
