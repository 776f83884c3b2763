import { TRPCError } from '@trpc/server';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import type { Handler, Context as HonoContext } from 'hono';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/errors.ts';
import type { Context } from '#server/rpc/context.ts';
import { appRouter } from '#server/rpc/router.ts';
import { checkBodyHeaders, readJson } from '#server/wire/body.ts';
import { parseJson } from '#server/wire/json.ts';
import { errorTable } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { Environment } from './environment.ts';
import { toEdgeError } from './on-error.ts';
import { createContext } from './request-context.ts';

export const trpcPath = '/trpc';

/** The console loads a page with a handful of calls; more in one request is somebody else's idea. */
const batchMax = 20;

/** These stream in and out of the process: REST drives them, no JSON could. */
const inProcessOnly = new Set(['documents.import', 'documents.export']);

/** tRPC over HTTP, for the console. JSON only, whatever else tRPC would take, and under the same strict reading as REST. */
export function trpcDoor(deps: Deps): Handler<Environment> {
  return async (c) => {
    const { raw, method } = c.req;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      throw new AppError('METHOD_NOT_ALLOWED', `${method} is not possible here; use GET or POST`);
    }
    if (proceduresOf(c.req.path).some((name) => inProcessOnly.has(name))) {
      throw new AppError('NOT_FOUND', 'There is no such procedure here; use the REST API');
    }
    const caller = await identify(c, deps);
    const isKnown = 'ctx' in caller && caller.ctx.principal !== null;
    const bytesMax = isKnown ? limits.jsonBodyBytesMax : limits.anonymousBodyBytesMax;
    return await fetchRequestHandler({
      endpoint: trpcPath,
      req: method === 'POST' ? await rereadBody(raw, bytesMax) : checkInput(raw),
      router: appRouter,
      maxBatchSize: batchMax,
      createContext: async () => {
        if ('refused' in caller) throw caller.refused;
        return caller.ctx;
      },
    });
  };
}

/** Who calls, known before the body is read; a refusal is left to tRPC, whose answers the console understands. */
async function identify(
  c: HonoContext<Environment>,
  deps: Deps,
): Promise<{ ctx: Context } | { refused: TRPCError }> {
  try {
    return { ctx: await createContext(c, deps) };
  } catch (error) {
    const cause = toEdgeError(error, c.var.log);
    return {
      refused: new TRPCError({ code: errorTable[cause.code].trpc, message: cause.message, cause }),
    };
  }
}

function proceduresOf(path: string): string[] {
  try {
    return decodeURIComponent(path.slice(trpcPath.length + 1)).split(',');
  } catch (cause) {
    throw new AppError('BAD_REQUEST', 'The path is not valid URL encoding', { cause });
  }
}

/** The body checked, as a request that tRPC can read again. */
async function rereadBody(request: Request, bytesMax: number): Promise<Request> {
  checkBodyHeaders(request.headers, 'json', bytesMax);
  const body = JSON.stringify(await readJson(request, bytesMax));
  return new Request(request.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
    signal: request.signal,
  });
}

function checkInput(request: Request): Request {
  const input = new URL(request.url).searchParams.get('input');
  if (input !== null) parseJson(input, { path: 'input' });
  return request;
}
