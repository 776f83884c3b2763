import type { QueryClient } from '@tanstack/react-query';
import {
  createTRPCQueryUtils,
  createTRPCReact,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  splitLink,
} from '@trpc/react-query';
import type { inferRouterInputs } from '@trpc/server';
import type { AppRouter } from '#server/rpc/router.ts';
import { limits } from '#shared/limits.ts';
import { isRecord, parseJson } from './json.ts';
import { noteOwnRequest } from './live/own-requests.ts';
import { notePosition } from './live/position.ts';
import { refusedOffline } from './refused-offline.ts';
import { RestError } from './rest-error.ts';
import { heldUntilSignedIn } from './session-keeper.ts';
import { wholeLists } from './whole-lists.ts';

/**
 * The console's way to the server, and the one place that knows the router's type.
 *
 * Components: `trpc.projects.list.useQuery({ workspaceId })`, `trpc.projects.create.useMutation({ meta: { changes: 'projects' } })`.
 * Route loaders: `context.trpc.projects.list.prefetch({ workspaceId })` with the same input as the component.
 */
export const trpc: Hooks = createTRPCReact<AppRouter>({ abortOnUnmount: true });

type AllHooks = ReturnType<typeof createTRPCReact<AppRouter>>;
type Procedures = Pick<AllHooks, keyof RouterInputs>;
type Hooks = Omit<AllHooks, keyof RouterInputs> & {
  [Noun in keyof Procedures]: { [Verb in keyof Procedures[Noun]]: StatingChanges<Procedures[Noun][Verb]> };
};
/** A mutation does not compile without the name of what it changes. */
type StatingChanges<Procedure> = Procedure extends { useMutation: (options?: infer Options) => infer Result }
  ? { useMutation: (options: NonNullable<Options> & { meta: ChangeMeta }) => Result }
  : Procedure;

export type RouterInputs = inferRouterInputs<AppRouter>;
export type Noun = keyof RouterInputs;

/** What a mutation changes; null: nothing that is cached. */
export interface ChangeMeta extends Record<string, unknown> {
  changes: Noun | null;
}

const alone = ['judgements.compare', 'documents.map'];

export function createTrpcClient(baseUrl = '') {
  const options = { url: `${baseUrl}/trpc`, fetch: fetchAnswer };
  // By POST, because an input may be longer than a URL.
  const query = { ...options, methodOverride: 'POST' as const };
  return trpc.createClient({
    links: [
      wholeLists,
      refusedOffline,
      heldUntilSignedIn,
      splitLink({
        // Alone, because a batch is given up only when all of its calls are: typing replaces searches, and comparing can be cancelled.
        // A map is large, and a batch's answers share what one may have.
        condition: ({ path }) => path.startsWith('search.') || alone.includes(path),
        true: httpLink(query),
        false: splitLink({
          condition: ({ type }) => type === 'query',
          // Each answer of a batch arrives when it is ready.
          true: httpBatchStreamLink({ ...query, maxItems: limits.batchCallsMax }),
          // Not streamed: a mutation may set cookies, which stand in the head of its answer.
          false: httpBatchLink({ ...options, maxItems: limits.batchCallsMax }),
        }),
      }),
    ],
  });
}

/** @throws RestError for an answer that tRPC cannot read: the server's refusal of the request as such, or a proxy's page. */
async function fetchAnswer(url: RequestInfo | URL, init?: object): Promise<Response> {
  const answer = await fetch(url, { ...init, credentials: 'include' });
  noteOwnRequest(answer);
  notePosition(answer);
  if (answer.ok) return answer;
  const text = await answer.text();
  const body = parseJson(text);
  const isReadable = Array.isArray(body) || (isRecord(body) && 'error' in body);
  if (!isReadable) throw new RestError(answer.status, answer.statusText, text);
  return new Response(text, answer);
}

export type TrpcClient = ReturnType<typeof createTrpcClient>;

/** The procedures for loaders: `ensureData`, `prefetch`, `getData`, `setData`. */
export function createTrpcLoaders(
  queryClient: QueryClient,
  client: TrpcClient,
): ReturnType<typeof createTRPCQueryUtils<AppRouter>> {
  return createTRPCQueryUtils({ queryClient, client });
}

export type TrpcLoaders = ReturnType<typeof createTrpcLoaders>;
