import { Button } from '@mantine/core';
import { stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';

/** In place of the hits of a collection that takes no searches now. */
export function InactiveCollection({ collection }: { collection: Collection }) {
  const update = trpc.collections.update.useMutation({
    meta: { changes: 'collections' },
    onError: (error) =>
      toast({
        title: 'Failed to update collection. Please try again.',
        description: errorMessage(error),
        kind: 'error',
      }),
  });
  return (
    <EmptyState
      icon={stack2Icon}
      title={`${collection.name} is inactive`}
      description="It takes no searches and no documents until it is active again."
    >
      <May atLeast="editor">
        <Button
          loading={update.isPending}
          onClick={() => update.mutate({ collection: collection.id, isActive: true })}
        >
          Activate
        </Button>
      </May>
    </EmptyState>
  );
}
