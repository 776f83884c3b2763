import { Button, Group, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { refreshIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';

/** Makes the index anew. How far it is, the server does not tell: what is said is that it goes on, and what came of it. */
export function RebuildPanel({ collection: { id, documentCount } }: { collection: Collection }) {
  const repair = trpc.collections.repair.useMutation({ meta: { changes: 'collections' } });
  return (
    <Panel title="Index">
      <Group justify="space-between" gap="md">
        <Text size="sm" c="dimmed" maw="40rem" role="status">
          {repair.isPending &&
            `The index of ${formatNumber(documentCount)} documents is made anew. You may leave this page.`}
          {repair.isSuccess && `The index was made anew of ${formatNumber(repair.data.documents)} documents.`}
          {!repair.isPending &&
            !repair.isSuccess &&
            'Made anew from the stored documents. Nothing is lost or embedded again; searches wait until it is there.'}
        </Text>
        <Button
          variant="default"
          leftSection={<Icon shape={refreshIcon} />}
          loading={repair.isPending}
          onClick={() => repair.mutate({ collection: id })}
        >
          Rebuild the index
        </Button>
      </Group>
      {repair.error && <FormFailure error={repair.error} fallback="The index could not be rebuilt" />}
    </Panel>
  );
}
