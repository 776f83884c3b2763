import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import type { SearchMode } from '#shared/search.ts';

/** Measures when it is told to; `cancel` ends it, and then nothing was measured. */
export function useMeasure(collection: number) {
  const { client } = trpc.useUtils();
  const running = useRef<AbortController | null>(null);
  const { mutate, reset, isPending, error } = useMutation({
    meta: { changes: 'judgements' },
    mutationFn: (mode: SearchMode) => {
      const own = new AbortController();
      running.current = own;
      return client.judgements.measure.mutate({ collection, mode }, { signal: own.signal });
    },
  });
  return {
    measure: mutate,
    isPending,
    error,
    cancel: () => {
      running.current?.abort();
      reset();
    },
  };
}

interface Due {
  /** What the measure would be of; null: none is due. */
  key: string | null;
  run: () => void;
}

/** Measures after a change, once: one that fails is not tried again by itself. */
export function useMeasureAfterChange({ key, run }: Due): void {
  const done = useRef<string | null>(null);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (key === null || done.current === key) return;
    done.current = key;
    latest.current();
  }, [key]);
}
