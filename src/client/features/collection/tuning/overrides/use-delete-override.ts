import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';

import type { Override } from '#shared/overrides.ts';
import { useOneAtATime } from '../use-one-at-a-time.ts';
import { overrideName } from './override-name.ts';

/** Deletes without asking; the toast brings it back for as long as it is shown. */
export function useDeleteOverride(collection: number): (override: Override) => void {
  const failed = (title: string) => (error: unknown) =>
    toast({ title, description: errorMessage(error), kind: 'error' });
  const restore = trpc.overrides.upsert.useMutation({
    meta: { changes: 'overrides' },
    onSuccess: () => toast({ title: 'Override restored' }),
    onError: failed('The override could not be restored'),
  });
  const remove = trpc.overrides.delete.useMutation({
    meta: { changes: 'overrides' },
    onSuccess: (override) =>
      toast({
        title: 'Override deleted',
        description: `The override ${overrideName(override)}`,
        action: {
          label: 'Undo',
          altText: 'Undo: add the override again on the tab Tuning',
          onClick: () => restore.mutate({ collection, ...override }),
        },
      }),
    onError: failed('The override could not be deleted'),
  });
  const send = useOneAtATime(remove.mutateAsync, ({ id }) => id);
  return ({ id }) => send({ collection, id });
}
