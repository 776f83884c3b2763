import { getUntypedClient } from '@trpc/client';
import type { TrpcClient } from './trpc.ts';

/** Asks a procedure whose name is known at run time alone, as one that was asked before. @throws what the server answers */
export function queryByName(
  client: TrpcClient,
  { path, input }: { path: string; input: unknown },
  signal: AbortSignal,
): Promise<unknown> {
  return getUntypedClient(client as Parameters<typeof getUntypedClient>[0]).query(path, input, { signal });
}
