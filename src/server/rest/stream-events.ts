import { setMaxListeners } from 'node:events';
import { shareParts } from '#server/admission/request-parts.ts';
import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import { toAppError } from '#server/to-app-error.ts';
import type { Answer } from '#server/wire/answer.ts';
import type { ErrorBody } from '#shared/errors.ts';

/** Whether the caller asks for events: no other answer is as good to it. */
export function wantsEvents(headers: Headers): boolean {
  const types = (headers.get('accept') ?? '')
    .split(',')
    .map((type) => type.split(';', 1)[0]?.trim().toLowerCase());
  return types.includes('text/event-stream');
}

const encoder = new TextEncoder();

/**
 * What a procedure tells while it works, as server-sent events, and at last its answer as `done`, or `error`. What fails before the first event is an
 * error like any other, with its status. All events together are no more than the answer may have, so they wait in memory for their reader.
 * @throws AppError
 */
export async function streamEvents(ctx: Context, run: (ctx: Context) => Promise<unknown>): Promise<Answer> {
  const reader = new AbortController();
  const channel = openChannel(() => reader.abort(new AppError('BAD_REQUEST', 'The caller hung up')));
  const signal = AbortSignal.any([ctx.request.signal, reader.signal]);
  shareParts({ of: ctx.request.signal, with: signal });
  // A search of many collections has a listener at it for each that is under way.
  setMaxListeners(0, signal);
  const begun = new Promise<void>((resolve) => {
    channel.onFirst = resolve;
  });
  const finished = run({
    ...ctx,
    request: { ...ctx.request, signal },
    tellEvent: ({ event, data }) => channel.send(event, data),
  }).then(
    (output) => {
      channel.send('done', output);
      channel.close();
    },
    (error: unknown) => {
      if (!channel.hasBegun) throw error;
      channel.send('error', bodyOf(error, ctx));
      channel.close();
    },
  );
  await Promise.race([begun, finished]);
  const headers = {
    'Content-Type': 'text/event-stream; charset=utf-8',
    // nginx would collect the events before it passes them on.
    'X-Accel-Buffering': 'no',
  };
  return { status: 200, headers, body: channel.body };
}

function bodyOf(error: unknown, { request }: Context): ErrorBody {
  const { code, message, details } = toAppError(error);
  return { message, code, requestId: request.requestId, ...(details && { details }) };
}

function openChannel(onCancel: () => void) {
  let isOpen = true;
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    cancel() {
      isOpen = false;
      onCancel();
    },
  });
  const channel = {
    body,
    hasBegun: false,
    onFirst: () => {},
    send(event: string, data: unknown) {
      if (!isOpen) return;
      controller?.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      channel.hasBegun = true;
      channel.onFirst();
    },
    close() {
      if (isOpen) controller?.close();
      isOpen = false;
    },
  };
  return channel;
}
