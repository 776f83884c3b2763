import type { QueryClient } from '@tanstack/react-query';
import { createTRPCQueryUtils, createTRPCReact, httpBatchLink } from '@trpc/react-query';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from '#server/rpc/router.ts';

/**
 * The console's door to the server, and the one place that knows the router's type.
 *
 * Components: `trpc.projects.list.useQuery({ workspaceId })`, `trpc.projects.create.useMutation()`.
 * Route loaders: `context.trpc.projects.list.prefetch({ workspaceId })` with the same input as the component.
 */
export const trpc = createTRPCReact<AppRouter>();

export type RouterInputs = inferRouterInputs<AppRouter>;
export type RouterOutputs = inferRouterOutputs<AppRouter>;

export function createTrpcClient(baseUrl = '') {
  return trpc.createClient({
    links: [
      httpBatchLink({
        url: `${baseUrl}/trpc`,
        maxURLLength: 8_000,
        fetch: (url, options) => fetch(url, { ...(options as RequestInit), credentials: 'include' }),
      }),
    ],
  });
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
