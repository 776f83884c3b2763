import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { type RouterInputs, trpc } from '#client/lib/trpc.ts';

type CompareInput = RouterInputs['judgements']['compare'];

/** Which comparison an input asks for. */
export function compareKey(input: CompareInput): string {
  return JSON.stringify(input);
}

/** Compares when it is told to; `cancel` ends it. */
export function useCompare() {
  const { client } = trpc.useUtils();
  const running = useRef<AbortController | null>(null);
  const { mutate, reset, isPending, error, data } = useMutation({
    meta: { changes: null },
    mutationFn: async (input: CompareInput) => {
      const own = new AbortController();
      running.current = own;
      const comparison = await client.judgements.compare.query(input, { signal: own.signal });
      return { key: compareKey(input), comparison };
    },
  });
  return {
    compare: mutate,
    isPending,
    error,
    result: data ?? null,
    /** Without a result too. */
    cancel: () => {
      running.current?.abort();
      reset();
    },
  };
}
