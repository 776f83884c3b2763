import type { Context, Handler } from 'hono';
import type { Principal, UserPrincipal } from '#server/auth/principal.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, badRequest } from '#server/errors.ts';
import type { Told } from '#server/live/listener.ts';
import { limits } from '#shared/limits.ts';
import type { LiveEventKind } from '#shared/live.ts';
import { createContext } from './create-context.ts';
import { type Environment, headersOf } from './environment.ts';
import { send } from './send.ts';

/** Proxies and browsers give a silent connection up after a minute. */
const heartbeatMs = 20_000;
/** What may wait for its reader: it is let go then, and goes on from what it has read. */
const waitingBytesMax = 64 * 1024;
const retryAfterSeconds = 30;
/** The tabs of a browser have one each; each is looked for in all that is kept. */
const positionsMax = 10;

/**
 * The stream of changes in a signed-in user's workspaces, as server-sent events. It goes on behind `Last-Event-ID`, which a browser sends by itself, or
 * behind the oldest `?after=` of one or several; without either from now on.
 */
export function liveHandler(deps: Deps): Handler<Environment> {
  const open = new Map<number, number>();
  return async (c) => {
    if (c.req.method !== 'GET') {
      throw new AppError('METHOD_NOT_ALLOWED', 'Only GET is possible here', { allow: ['GET'] });
    }
    const { principal, request } = await createContext(c, deps, { way: 'rest' });
    const session = assertUser(principal);
    const leave = enter(deps, open, session.userId);
    try {
      const after = positionsOf(c);
      const stream = openStream(leave);
      const { begun, close } = deps.live.listen(session, after, {
        tell: stream.tell,
        end: (why) => {
          if (why === 'session') stream.send('end', {});
          stream.end();
        },
      });
      stream.onEnd(close);
      request.signal.addEventListener('abort', stream.end, { once: true });
      await begun.catch((error: unknown) => {
        stream.end();
        throw error;
      });
      return send(c, { status: 200, headers: streamHeaders, body: stream.body });
    } catch (error) {
      leave();
      throw error;
    }
  };
}

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would collect the events before it passes them on.
  'X-Accel-Buffering': 'no',
};

/** @throws AppError BAD_REQUEST for too many */
function positionsOf(c: Context<Environment>): string[] {
  const last = headersOf(c).get('last-event-id');
  const positions = last === null ? (c.req.queries('after') ?? []) : [last];
  if (positions.length > positionsMax)
    throw badRequest('after', `may be given at most ${positionsMax} times`);
  return positions.filter((position) => position !== '');
}

function assertUser(principal: Principal | null): UserPrincipal {
  if (principal === null) throw new AppError('UNAUTHORIZED', 'Sign in to hear of changes');
  if (principal.kind === 'user') return principal;
  throw new AppError('FORBIDDEN', 'An API key cannot do this; sign in');
}

/** Takes a place, and answers how to give it back. @throws AppError TOO_MANY_REQUESTS, UNAVAILABLE */
function enter({ live }: Deps, open: Map<number, number>, userId: number): () => void {
  const own = open.get(userId) ?? 0;
  if (own >= limits.liveStreamsPerAccountMax) {
    const message = `Your account has ${limits.liveStreamsPerAccountMax} streams of changes open already`;
    throw new AppError('TOO_MANY_REQUESTS', message, { retryAfterSeconds });
  }
  if (live.listening >= limits.liveStreamsMax) {
    throw new AppError('UNAVAILABLE', 'Too many streams of changes are open', { retryAfterSeconds });
  }
  open.set(userId, own + 1);
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    const left = (open.get(userId) ?? 1) - 1;
    if (left === 0) open.delete(userId);
    else open.set(userId, left);
  };
}

/** @param leave called at its end, whoever ends it */
function openStream(leave: () => void) {
  const encoder = new TextEncoder();
  const onceEnded = [leave];
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const end = () => {
    clearInterval(heartbeat);
    controller?.close();
    controller = null;
    for (const each of onceEnded.splice(0)) each();
  };
  const write = (text: string) => {
    if (controller === null) return;
    controller.enqueue(encoder.encode(text));
    if ((controller.desiredSize ?? 0) <= 0) end();
  };
  const heartbeat = setInterval(() => write(':\n\n'), heartbeatMs);
  heartbeat.unref();
  const send = (kind: LiveEventKind, data: object, position?: string) =>
    write(
      `${position === undefined ? '' : `id: ${position}\n`}event: ${kind}\ndata: ${JSON.stringify(data)}\n\n`,
    );
  return {
    body: new ReadableStream<Uint8Array>(
      {
        start(given) {
          controller = given;
        },
        cancel() {
          controller = null;
          end();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: waitingBytesMax }),
    ),
    send,
    tell: (told: Told) => send(told.kind, told.kind === 'change' ? told.change : {}, told.position),
    end,
    onEnd(work: () => void) {
      if (onceEnded.length === 0) work();
      else onceEnded.push(work);
    },
  };
}
