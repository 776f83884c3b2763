import { useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { withoutPin, withPin } from './pin-hit.ts';

/** Pins a hit for its query, or lets it go. What cannot be done is said. */
export function usePin(
  at: Parameters<typeof withPin>[1],
  { onPinned, onUnpinned }: { onPinned: (position: number) => void; onUnpinned: () => void },
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
    await upsert.mutateAsync(override);
    onPinned(position);
  };
  const unpin = async () => {
    const { override } = await withoutPin(client, at);
    if (override) await upsert.mutateAsync(override);
    else if (at.acting !== null) await remove.mutateAsync({ collection: at.collection, id: at.acting });
    onUnpinned();
  };
  return {
    isPending,
    pin: () => void run('It could not be pinned', pin),
    unpin: () => void run('It is still pinned', unpin),
  };
}
