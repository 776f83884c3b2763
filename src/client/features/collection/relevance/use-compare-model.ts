import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import type { SearchMode } from '#shared/search.ts';

const progressEveryMs = 1_000;

/** Compares a collection's model with another one when it is told to; `cancel` ends it. */
export function useCompareModel(collection: number) {
  const { client } = trpc.useUtils();
  const running = useRef<AbortController | null>(null);
  const { mutate, reset, isPending, error, data, variables } = useMutation({
    meta: { changes: null },
    mutationFn: (asked: { model: string; mode: SearchMode }) => {
      const own = new AbortController();
      running.current = own;
      return client.judgements.compare.query({ collection, ...asked }, { signal: own.signal });
    },
  });
  const models = trpc.judgements.models.useQuery(
    { collection },
    { refetchInterval: isPending ? progressEveryMs : false },
  );
  return {
    models: models.data ?? null,
    compare: mutate,
    isPending,
    error,
    /** With what was asked for. */
    result: data && variables ? { ...variables, comparison: data } : null,
    cancel: () => {
      running.current?.abort();
      reset();
    },
  };
}
