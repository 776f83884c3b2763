import type { Capability } from '#shared/search-engine-texts.ts';
import { trpc } from './trpc.ts';

/** The search engine of the server, which stays the same while it runs; undefined until it is known. */
export function useEngine() {
  return trpc.engine.get.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY }).data;
}

/** Whether it is known that the engine lacks it. */
export function useLacks(capability: Capability): boolean {
  return useEngine()?.capabilities[capability] === false;
}
