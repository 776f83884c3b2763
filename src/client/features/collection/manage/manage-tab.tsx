import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { DeleteCollectionDialog } from '#client/components/feedback/delete-collection-dialog.tsx';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import type { CollectionTabProps } from '../tab-props.ts';
import { AliasesPanel } from './aliases-panel.tsx';
import { ApiPanel } from './api-panel.tsx';
import { ExportPanel } from './export-panel.tsx';
import { RebuildPanel } from './rebuild-panel.tsx';

/** What is done to a collection as a whole. */
export function ManageTab({ collection }: CollectionTabProps) {
  return (
    <Stack gap="lg">
      <AliasesPanel collection={collection} />
      <ExportPanel collection={collection} />
      <ApiPanel collection={collection} />
      <May atLeast="editor">
        <RebuildPanel collection={collection} />
        <DeletePanel collection={collection} />
      </May>
    </Stack>
  );
}

function DeletePanel({ collection }: { collection: Collection }) {
  const navigate = useNavigate();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Panel title="Delete this collection">
      <Group justify="space-between" gap="md">
        <Text size="sm" c="dimmed" maw="40rem">
          Its documents, rules and figures go with it, and its aliases name nothing any more.
        </Text>
        <Button
          variant="default"
          c="red"
          leftSection={<Icon shape={trashIcon} />}
          onClick={() => setDeleting(true)}
        >
          Delete collection
        </Button>
      </Group>
      <DeleteCollectionDialog
        collection={isDeleting ? collection : null}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: '/collections' })}
      />
    </Panel>
  );
}
