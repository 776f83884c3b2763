import type { QueryClient } from '@tanstack/react-query';
import type { TrpcClient, TrpcLoaders } from './trpc.ts';

/** What route loaders receive as `context`. */
export interface RouterContext {
  queryClient: QueryClient;
  trpc: TrpcLoaders;
  /** For what has a key of its own in the cache. */
  client: TrpcClient;
}
