import { AppError } from '#server/errors.ts';
import type { Context, UsageScope } from '#server/rpc/context.ts';
import { appRouter, type ProcedureName } from '#server/rpc/router.ts';
import { createCallerFactory } from '#server/rpc/trpc.ts';
import { toAppError } from '#server/to-app-error.ts';
import { checkBodyHeaders, readJson } from '#server/wire/body.ts';
import { limits } from '#shared/limits.ts';
import { streamExport } from './export.ts';
import { runImport } from './import.ts';
import { buildInput, readQuery } from './input.ts';
import type { RestMatch } from './match.ts';
import { type RestRoute, restRoutes } from './routes.ts';

/** One request for a known operation, by a caller who has been identified. */
export interface RestCall {
  match: RestMatch;
  request: Request;
  query: URLSearchParams;
  ctx: Context;
}

const createCaller = createCallerFactory(appRouter);

/** What can be refused before the body is read. @throws AppError */
export function checkRestRequest(match: RestMatch, headers: Headers): void {
  const route = restRoutes[match.name];
  if (route.stream === 'import') checkBodyHeaders(headers, 'json or ndjson', Number.POSITIVE_INFINITY);
  else if (route.body) checkBodyHeaders(headers, 'json', bodyBytesMax(match));
}

/** Whoever reaches a public operation may be anybody, so its bodies are small. */
function bodyBytesMax({ endpoint }: RestMatch): number {
  return endpoint.access === 'public' ? limits.anonymousBodyBytesMax : limits.jsonBodyBytesMax;
}

/** @throws AppError */
export async function answerRest(call: RestCall): Promise<Response> {
  const { ctx } = call;
  // A key belongs to a project; of a session it turns out while its request is answered. One request counts once, whatever its answer.
  let about: UsageScope | null = ctx.principal?.kind === 'key' ? ctx.principal : null;
  const noteUsage = (found: UsageScope) => {
    about ??= found;
  };
  try {
    return await answer({ ...call, ctx: { ...ctx, noteUsage } });
  } finally {
    if (about !== null && isCounted(call.match)) ctx.deps.telemetry.countRequest(about);
  }
}

function isCounted({ endpoint }: RestMatch): boolean {
  return endpoint.group !== 'Auth' && endpoint.group !== 'Dashboard';
}

async function answer(call: RestCall): Promise<Response> {
  const { match, ctx, request } = call;
  const route = restRoutes[match.name];
  // The procedure would say the same, but only after a body of any size had been read for somebody unknown.
  if (ctx.principal === null && match.endpoint.access !== 'public') {
    throw new AppError(
      'UNAUTHORIZED',
      match.endpoint.access === 'session'
        ? 'Sign in to do this'
        : 'Sign in or send an API key in the X-API-Key header',
    );
  }
  const input = buildInput(route, {
    method: match.endpoint.method,
    parameters: match.parameters,
    query: readQuery(call.query),
    body: route.body ? await readJson(request, bodyBytesMax(match)) : undefined,
  });
  const run = (given: unknown) => callProcedure(route.procedure, given, ctx);
  if (route.stream === 'import') return await runImport(call, input, run);
  if (route.stream === 'export') return await streamExport(ctx, await run(input));
  return respond(route, await run(input));
}

async function callProcedure(name: ProcedureName, input: unknown, ctx: Context): Promise<unknown> {
  const [noun = '', verb = ''] = name.split('.');
  // The table's names are checked against the router, its inputs by the procedures' schemas; types cannot say more about a name in a variable.
  const caller = createCaller(ctx, { signal: ctx.request.signal }) as unknown as Record<
    string,
    Record<string, (input: unknown) => Promise<unknown>>
  >;
  try {
    return await caller[noun]?.[verb]?.(input);
  } catch (error) {
    throw toAppError(error);
  }
}

function respond(route: RestRoute, output: unknown): Response {
  const answer = route.answer ? route.answer(output as never) : { status: 200, body: output };
  return Response.json(answer.body ?? null, { status: answer.status });
}
