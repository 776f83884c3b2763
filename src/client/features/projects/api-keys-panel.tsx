import { Button, Group, Skeleton } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { keyIcon, plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { May, useMay } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import { ApiKeyTable } from './api-key-table.tsx';
import type { ListState } from './collections-panel.tsx';
import { KeySnippet } from './key-snippet.tsx';
import { useDeleteKey } from './use-delete-key.ts';

/** Fetched after the page is painted: the form and its rules weigh more than the rest of the page. */
const CreateKeyDialog = lazyPart(async () => ({
  default: (await import('./create-key-dialog.tsx')).CreateKeyDialog,
}));

interface ApiKeysPanelProps {
  projectId: number;
  list: ListState<ApiKey>;
  /** The project's, to limit a key to some of them and for the example call. */
  collections: Collection[];
}

export function ApiKeysPanel({ projectId, list, collections }: ApiKeysPanelProps) {
  const [isCreating, setCreating] = useState(false);
  const { remove, removingId } = useDeleteKey();
  const may = useMay();
  const create = (
    <May atLeast="admin">
      <Button leftSection={<Icon shape={plusIcon} />} onClick={() => setCreating(true)}>
        Create API Key
      </Button>
    </May>
  );
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch API keys" onRetry={list.refetch} />;
  if (!list.data) return <Skeleton height={200} radius="lg" />;
  return (
    <>
      {list.data.length === 0 ? (
        <EmptyState
          icon={keyIcon}
          title="No API keys yet"
          description={`Your application sends a key with every call; it opens this project and nothing else.${
            may('admin') ? '' : ' Owners and admins of the workspace make them.'
          }`}
        >
          {create}
        </EmptyState>
      ) : (
        <>
          <Group justify="flex-end" mb="sm">
            {create}
          </Group>
          <ApiKeyTable keys={list.data} onRemove={remove} removingId={removingId} />
          <KeySnippet projectId={projectId} collections={collections} />
        </>
      )}
      <Suspense>
        <CreateKeyDialog
          opened={isCreating}
          projectId={projectId}
          collections={collections}
          onClose={() => setCreating(false)}
        />
      </Suspense>
    </>
  );
}
