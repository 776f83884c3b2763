import { useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { withoutPin, withPin } from './pin-hit.ts';

interface PinListeners {
  onPinning: () => void;
  onPinned: (position: number) => void;
  onUnpinning: () => void;
  onUnpinned: () => void;
}

/**
 * Pins a hit for its query, or lets it go. What cannot be done is said. What `onPinning` and `onUnpinning` send goes in the request of the pin itself: who leaves
 * the page as soon as the hit has moved leaves nothing half done.
 */
export function usePin(
  at: Parameters<typeof withPin>[1],
  { onPinning, onPinned, onUnpinning, onUnpinned }: PinListeners,
) {
  const { client } = trpc.useUtils();
  const [isPending, setPending] = useState(false);
  const upsert = trpc.overrides.upsert.useMutation({ meta: { changes: 'overrides' } });
  const remove = trpc.overrides.delete.useMutation({ meta: { changes: 'overrides' } });
  const run = async (failed: string, work: () => Promise<void>) => {
    setPending(true);
    try {
      await work();
    } catch (error) {
      toast({ title: failed, description: errorMessage(error), kind: 'error' });
    } finally {
      setPending(false);
    }
  };
  const pin = async () => {
    const { override, position } = await withPin(client, at);
    const pinned = upsert.mutateAsync(override);
    onPinning();
    await pinned;
    onPinned(position);
  };
  const unpin = async () => {
    const { override } = await withoutPin(client, at);
    let unpinned: Promise<unknown> | null = null;
    if (override) unpinned = upsert.mutateAsync(override);
    else if (at.acting !== null) unpinned = remove.mutateAsync({ collection: at.collection, id: at.acting });
    onUnpinning();
    await unpinned;
    onUnpinned();
  };
  return {
    isPending,
    pin: () => void run('It could not be pinned', pin),
    unpin: () => void run('It is still pinned', unpin),
  };
}
