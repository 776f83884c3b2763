import { useCallback } from 'react';
import { errorMessage } from './error-message.ts';
import { toast } from './toast.ts';
import { trpc } from './trpc.ts';

interface RevealKey {
  /** The whole key; null where the server refuses. Nothing keeps it but who asked. */
  reveal(id: number): Promise<string | null>;
  isPending: boolean;
}

/** Asks for whole keys. `isQuiet`: no toast says why one is refused, since the caller has something else to offer. */
export function useRevealKey({ isQuiet = false } = {}): RevealKey {
  const { mutateAsync, reset, isPending } = trpc.apiKeys.reveal.useMutation({
    meta: { changes: null },
    gcTime: 0,
    onError: (error) => {
      if (!isQuiet)
        toast({ title: 'Failed to reveal API key', description: errorMessage(error), kind: 'error' });
    },
  });
  const reveal = useCallback(
    async (id: number) => {
      try {
        return (await mutateAsync({ id })).key;
      } catch {
        // `onError` has said it.
        return null;
      } finally {
        // The answer leaves the mutation cache.
        reset();
      }
    },
    [mutateAsync, reset],
  );
  return { reveal, isPending };
}
