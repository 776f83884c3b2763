import { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Handler, Context as HonoContext } from 'hono';
import type { Ticket } from '#server/admission/gate.ts';
import { enterMovable } from '#server/admission/movable-ticket.ts';
import { bodyReading } from '#server/admission/request-memory.ts';
import { pauseByParts } from '#server/admission/request-parts.ts';
import type { Deps } from '#server/deps.ts';
import { AppError, badRequest } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { Context } from '#server/rpc/context.ts';
import { bodyLimitsOf, isQuery, isRead, isStreamed, procedures } from '#server/rpc/procedures.ts';
import { appRouter, type ProcedureName } from '#server/rpc/router.ts';
import { toAppError } from '#server/to-app-error.ts';
import { retryAfter } from '#server/wire/answer.ts';
import { type BodyReading, checkBodyHeaders, readJson } from '#server/wire/body.ts';
import { type BodyLimits, bodyLimits } from '#server/wire/body-limits.ts';
import { parseJson } from '#server/wire/json.ts';
import { MarkedValues } from '#server/wire/json-text.ts';
import { errorTable } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { livePositionHeader } from '#shared/live.ts';
import { createContext } from './create-context.ts';
import type { Environment } from './environment.ts';
import { proceduresOf, trpcPath } from './procedures-of.ts';
import { complete } from './send.ts';
import { toEdgeError } from './to-edge-error.ts';

/** tRPC over HTTP, for the console: JSON only, read as strictly as REST reads it. Queries may come by POST, where no URL is too long. */
export function trpcHandler(deps: Deps): Handler<Environment> {
  return async (c) => {
    const { raw, method } = c.req;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      throw new AppError('METHOD_NOT_ALLOWED', `${method} is not possible here; use GET or POST`, {
        allow: ['GET', 'HEAD', 'POST'],
      });
    }
    // Streams go in and out of the process: REST drives them, no JSON could.
    const url = new URL(raw.url);
    const names = proceduresOf(url);
    if (names === null) throw new AppError('BAD_REQUEST', 'The path is not valid URL encoding');
    if (names.some(isStreamed)) {
      throw new AppError('NOT_FOUND', 'There is no such procedure here; use the REST API');
    }
    // Before anybody is looked up and the body is read.
    if (names.length > limits.batchCallsMax) {
      throw new AppError('BAD_REQUEST', `At most ${limits.batchCallsMax} calls in one request`);
    }
    // tRPC would take it; only sockets have use for it.
    if (url.searchParams.has('connectionParams')) {
      throw badRequest('connectionParams', 'is not a query parameter of this call');
    }
    const caller = await identify(c, deps, names);
    if ('ctx' in caller && caller.ctx.principal) c.get('headers')[livePositionHeader] = deps.live.position;
    const leave = () => {
      if ('ctx' in caller) caller.ticket.leave();
    };
    try {
      const response = await answer(c, caller, { url, names });
      // Calls may go on with what was sent.
      if (isSentInParts(response, names)) c.get('onceOut').push(...c.get('onceAnswered').splice(0), leave);
      else leave();
      return response;
    } catch (error) {
      leave();
      throw error;
    }
  };
}

type Caller = { ctx: Context; ticket: Ticket } | { refused: TRPCError };

interface Asked {
  url: URL;
  names: string[];
}

async function answer(c: HonoContext<Environment>, caller: Caller, { url, names }: Asked): Promise<Response> {
  const { raw, method } = c.req;
  const req = method === 'POST' ? await readPost(raw, caller, names) : checkInput(raw, url);
  if ('ctx' in caller) caller.ticket.begin();
  const values = new MarkedValues();
  const marked = await fetchRequestHandler({
    endpoint: trpcPath,
    req,
    router: routerThatMarks(values, c.get('requestId')),
    allowMethodOverride: true,
    createContext: async () => {
      if ('refused' in caller) throw caller.refused;
      return caller.ctx;
    },
    responseMeta: ({ errors }) => retryAfterHeader(errors),
    onError: ({ error }) => logOwnFailure(error, c.get('log')),
  });
  if (marked.body === null) return complete(c, marked);
  let bytes = 0;
  const fill = (text: string) => {
    const part = values.fill(text);
    bytes += Buffer.byteLength(part);
    if ('ctx' in caller) holdAnswer(caller.ctx, names, bytes);
    return part;
  };
  const body = isSentInParts(marked, names) ? filled(marked.body, fill) : fill(await marked.text());
  // With the response itself as its model it would be read as a stream on its way out.
  return complete(c, new Response(body, { status: marked.status, headers: marked.headers }));
}

/** What was written is told in any case; documents were counted before. */
function holdAnswer({ held }: Context, names: string[], bytes: number): void {
  if (names.every(isQuery)) held.answer.raiseTo(bytes);
  else held.answer.raiseUpTo(bytes);
}

/**
 * tRPC writes an answer's JSON, and would read what is JSON already to write it again: so it has a mark in place of each output.
 * What tRPC refuses before there is a context names the request all the same.
 */
function routerThatMarks(values: MarkedValues, requestId: string): typeof appRouter {
  const { _config: config } = appRouter._def;
  const serialize = (value: unknown) => values.mark(value);
  const transformer = { ...config.transformer, output: { ...config.transformer.output, serialize } };
  const errorFormatter: typeof config.errorFormatter = (failed) => {
    const shape = config.errorFormatter(failed);
    return { ...shape, data: { ...shape.data, requestId } };
  };
  return { ...appRouter, _def: { ...appRouter._def, _config: { ...config, transformer, errorFormatter } } };
}

/** Procedures and `identify` have logged theirs, which have an AppError as their cause. */
function logOwnFailure(error: TRPCError, log: Log): void {
  if (!(error.cause instanceof AppError)) toEdgeError(error, log);
}

/** Each answer of a batch as soon as it is there, one a line; calls may go on meanwhile. */
function isSentInParts({ headers }: Response, names: string[]): boolean {
  return headers.get('Transfer-Encoding') === 'chunked' && !names.every(isRead);
}

/** tRPC sends line by line, and no mark has parts in two. */
function filled(body: ReadableStream<Uint8Array>, fill: MarkedValues['fill']): ReadableStream<Uint8Array> {
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(line, controller) {
        const text = fill(Buffer.from(line).toString());
        controller.enqueue(typeof text === 'string' ? Buffer.from(text) : text);
      },
    }),
  );
}

/** Who calls, and that they may come in, known before the body is read; a refusal is left to tRPC, whose answers the console understands. */
async function identify(c: HonoContext<Environment>, deps: Deps, names: string[]): Promise<Caller> {
  try {
    const ctx = await createContext(c, deps, { way: 'trpc', calls: names.length });
    // Who has no room for an answer is refused before anything is done.
    ctx.held.answer.add(limits.answerBytesMin);
    const way = names.every(isRead) ? 'reads' : 'others';
    const ticket = enterMovable(deps.admission, way, ctx.requester);
    pauseByParts(ctx.request.signal, ticket);
    return { ctx: { ...ctx, waitElsewhere: () => ticket.moveTo('streams') }, ticket };
  } catch (error) {
    const cause = toEdgeError(error, c.get('log'));
    return {
      refused: new TRPCError({ code: errorTable[cause.code].trpc, message: cause.message, cause }),
    };
  }
}

/** The body of what is refused anyway is not read. */
async function readPost(request: Request, caller: Caller, names: string[]): Promise<Request> {
  if ('refused' in caller) return new Request(request.url, { method: 'POST', headers: request.headers });
  const { held, requester, principal } = caller.ctx;
  const isKnown = principal !== null;
  const reading = bodyReading(held, requester);
  return await withParsedBody(request, isKnown ? bodyLimitsOfAll(names) : bodyLimits.anonymous, reading);
}

/** A request whose `json()` is the body already parsed, so that tRPC does not parse it again. */
async function withParsedBody(request: Request, mayHave: BodyLimits, reading: BodyReading): Promise<Request> {
  checkBodyHeaders(request.headers, mayHave);
  const value = await readJson(request, mayHave, reading);
  const headers = new Headers(request.headers);
  // tRPC compares it as text, though its case does not matter.
  headers.set('Content-Type', 'application/json');
  const parsed = new Request(request.url, { method: 'POST', headers, signal: request.signal });
  return Object.assign(parsed, { json: async () => value });
}

/** Of a batch, what its calls may have together, up to what any one may have. */
function bodyLimitsOfAll(names: string[]): BodyLimits {
  const each = names.map((name) => {
    const procedure = procedures.get(name as ProcedureName);
    return procedure ? bodyLimitsOf(procedure) : bodyLimits.other;
  });
  const sum = (most: number, read: (one: BodyLimits) => number) =>
    Math.min(
      most,
      each.reduce((total, one) => total + read(one), 0),
    );
  return {
    bytesMax: sum(limits.jsonBodyBytesMax, ({ bytesMax }) => bytesMax),
    valuesMax: sum(limits.multiSearchValuesMax, ({ valuesMax }) => valuesMax),
  };
}

function checkInput(request: Request, { searchParams }: URL): Request {
  const input = searchParams.get('input');
  if (input !== null) parseJson(input, { path: 'input' });
  return request;
}

/** Of a batch, the longest wait. */
function retryAfterHeader(errors: TRPCError[]): { headers?: Record<string, string> } {
  const waits = errors.flatMap((error) => toAppError(error).retryAfterSeconds ?? []);
  return waits.length > 0 ? { headers: { 'Retry-After': retryAfter(Math.max(...waits)) } } : {};
}
