import type { QueryClient } from '@tanstack/react-query';
import type { TrpcLoaders } from './trpc.ts';

/** What route loaders receive as `context`. */
export interface RouterContext {
  queryClient: QueryClient;
  trpc: TrpcLoaders;
}
