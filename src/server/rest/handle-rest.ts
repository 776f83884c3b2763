import type { Admission } from '#server/admission/admission.ts';
import type { Ticket } from '#server/admission/gate.ts';
import { enterMovable } from '#server/admission/movable-ticket.ts';
import { pauseByParts } from '#server/admission/request-parts.ts';
import { AppError } from '#server/errors.ts';
import { callProcedure } from '#server/rpc/call-procedure.ts';
import type { Context, UsageScope } from '#server/rpc/context.ts';
import { toAppError } from '#server/to-app-error.ts';
import type { Answer } from '#server/wire/answer.ts';
import { preflightHeaders } from '#server/wire/cors.ts';
import { documentTag } from '#server/wire/document-tag.ts';
import { rawQuery } from '#server/wire/raw-query.ts';
import { limits } from '#shared/limits.ts';
import { answers } from './answer.ts';
import type { Operation } from './catalogue.ts';
import { runImport } from './import/run-import.ts';
import { readInput } from './input.ts';
import { type Matched, matchRest } from './match.ts';
import { withNearestParameter } from './nearest-parameter.ts';
import { answerOpenApi, openApiPath } from './openapi.ts';
import { requestNoter } from './request-noter.ts';
import type { RestCall } from './rest-call.ts';
import { streamEvents, wantsEvents } from './stream-events.ts';
import { streamExport } from './stream-export.ts';
import { isSearchElsewhere, unknownPath } from './unknown-path.ts';
import { untilRead } from './until-read.ts';

export interface RestRequest {
  raw: Request;
  /** As it was sent, not decoded: an id may hold an encoded slash. */
  path: string;
  /** Of whatever is answered, be it an error. */
  answerHeaders: Record<string, string>;
}

/**
 * The way into REST. A request is refused by what costs least and tells least: is there such a path, such a method, who calls (`who`),
 * have they too much under way, may they do this; only then is the body read.
 * @param who makes a context for this request alone, to which is added what REST hears of it
 * @throws AppError
 */
export async function handleRest(
  { raw, path, answerHeaders }: RestRequest,
  who: () => Promise<Context>,
): Promise<Answer> {
  if (path === openApiPath) return answerOpenApi(raw.method);
  const matched = matchRest(raw.method, path);
  if (matched.kind === 'unknown' || isSearchElsewhere(raw.method, path, rawQuery(raw.url)))
    throw unknownPath(path);
  if (matched.kind === 'wrong method') return answerOptions(raw.method, matched);
  const { operation, fields } = matched;
  const ctx = await who();
  const ticket = enterMovable(ctx.deps.admission, wayOf(operation), ctx.requester);
  pauseByParts(ctx.request.signal, ticket);
  const since = performance.now();
  let about: UsageScope | null = null;
  let status = 500;
  const noteUsage = (found: UsageScope) => {
    about ??= found;
  };
  try {
    const waitElsewhere = () => ticket.moveTo('streams');
    const { noteRequest, answered } = requestNoter(ctx, since);
    const own = Object.assign(ctx, { noteUsage, noteRequest, waitElsewhere });
    const call = { operation, fields, request: raw, ctx: own, answerHeaders };
    const done = await answer(call, ticket).catch((error: unknown) => {
      answered(null);
      throw error;
    });
    status = done.status;
    answered(status);
    return untilRead(done, { onEnd: ticket.leave, signal: ctx.request.signal });
  } catch (error) {
    status = toAppError(error).status;
    ticket.leave();
    throw withNearestParameter(error, operation);
  } finally {
    if (about !== null && operation.procedure.isCounted)
      countRequest(ctx, { about, status, ms: operation.stream === null ? performance.now() - since : null });
  }
}

interface Answered {
  about: UsageScope;
  status: number;
  /** Until its answer began; null for what takes as long as its sender or reader. */
  ms: number | null;
}

function countRequest({ deps }: Context, { about, status, ms }: Answered): void {
  deps.telemetry.countRequest(about);
  deps.monitoring.requests.note({ workspaceId: about.workspaceId, status, ms });
}

export function wayOf({ access, stream }: Operation): keyof Admission {
  if (stream !== null) return 'streams';
  return access === 'read' ? 'reads' : 'others';
}

/** @throws AppError METHOD_NOT_ALLOWED for anything but OPTIONS */
function answerOptions(method: string, found: Extract<Matched, { kind: 'wrong method' }>): Answer {
  const { allow, operations } = found;
  if (method !== 'OPTIONS') {
    throw new AppError('METHOD_NOT_ALLOWED', `${method} is not possible here; use ${allow.join(', ')}`, {
      allow,
    });
  }
  const open = operations.filter(takesKeys).map((operation) => operation.method);
  const headers = { Allow: allow.join(', '), ...(open.length > 0 && preflightHeaders(open)) };
  return { status: 204, headers, body: null };
}

function takesKeys({ access }: Operation): boolean {
  return access === 'read' || access === 'write';
}

async function answer(call: RestCall, ticket: Ticket): Promise<Answer> {
  const { operation } = call;
  if (operation.stream !== null) ticket.begin();
  call.ctx.held.answer.add(heldAtOnce(operation));
  if (operation.stream === 'import') return await runImport(call);
  let total: string | undefined;
  let isTagged = false;
  const ctx: Context = Object.assign(call.ctx, {
    noteTotal: (found: number, isMore: boolean) => {
      total = isMore ? `${found}+` : String(found);
    },
    noteTagged: () => {
      isTagged = true;
    },
  });
  const getInput = async () => {
    const input = await readInput(call);
    ticket.begin();
    return input;
  };
  if (operation.answer === 'events' && wantsEvents(call.request.headers))
    return await streamEvents(ctx, (own) => callProcedure(operation.procedure, own, getInput));
  const output = await callProcedure(operation.procedure, ctx, getInput);
  if (operation.stream === 'export') {
    const exported = await streamExport(ctx, output);
    return call.request.method === 'HEAD' ? await withoutBody(exported) : exported;
  }
  const answered = answers[operation.answer].answer(output);
  const { answer: held } = ctx.held;
  if (operation.procedure.type === 'query') held.raiseTo(bytesOf(answered));
  // What was written is told in any case; documents were counted before.
  else held.raiseUpTo(bytesOf(answered));
  if (total !== undefined) answered.headers['X-Total-Count'] = total;
  if (isTagged) answered.headers['ETag'] = documentTag(wholeBody(answered));
  return answered;
}

/** Nobody reads it, so it is given up here. */
async function withoutBody(answer: Answer): Promise<Answer> {
  if (answer.body instanceof ReadableStream) await answer.body.cancel();
  return { ...answer, body: null };
}

/** Who has no room for an answer is refused before anything is done. */
function heldAtOnce({ stream, answer }: Operation): number {
  if (answer === 'events') return limits.chatAnswerBytesMax;
  if (stream === 'export') return limits.exportBytesMax;
  return stream === 'import' ? limits.importResultsBytesMax : limits.answerBytesMin;
}

function wholeBody({ body }: Answer): string | Uint8Array {
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new Error('What is tagged is one document');
}

function bytesOf({ body }: Answer): number {
  if (typeof body === 'string') return Buffer.byteLength(body);
  return body instanceof Uint8Array ? body.byteLength : 0;
}
