import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type RouterInputs, type TrpcClient, trpc } from '#client/lib/trpc.ts';
import type { RelevanceComparison } from '#shared/comparisons.ts';
import { joinComparisons } from './join-comparisons.ts';

type CompareInput = RouterInputs['judgements']['compare'];

/** Which comparison an input asks for. */
export function compareKey(input: CompareInput): string {
  return JSON.stringify(input);
}

/** One request's, so that it can be told how many are done. */
const queriesAtOnce = 25;

/** Compares when it is told to; `cancel` ends it. */
export function useCompare() {
  const { client } = trpc.useUtils();
  const running = useRef<AbortController | null>(null);
  const [done, setDone] = useState(0);
  const { mutate, reset, isPending, error, data } = useMutation({
    meta: { changes: null },
    mutationFn: async ({ input, queries }: { input: CompareInput; queries: string[] }) => {
      const own = new AbortController();
      running.current = own;
      setDone(0);
      const comparison = await compareInParts(client, { input, queries }, { signal: own.signal, setDone });
      return { key: compareKey(input), comparison };
    },
  });
  return {
    compare: mutate,
    isPending,
    /** Queries that are compared already. */
    done,
    error,
    result: data ?? null,
    /** Without a result too. */
    cancel: () => {
      running.current?.abort();
      reset();
    },
  };
}

async function compareInParts(
  client: TrpcClient,
  { input, queries }: { input: CompareInput; queries: string[] },
  { signal, setDone }: { signal: AbortSignal; setDone: (done: number) => void },
): Promise<RelevanceComparison> {
  const { compare } = client.judgements;
  if (queries.length <= queriesAtOnce) return await compare.query(input, { signal });
  const parts: RelevanceComparison[] = [];
  for (let from = 0; from < queries.length; from += queriesAtOnce) {
    const some = queries.slice(from, from + queriesAtOnce);
    parts.push(await compare.query({ ...input, queries: some }, { signal }));
    signal.throwIfAborted();
    setDone(from + some.length);
  }
  return joinComparisons(parts);
}
