import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { SampleOffers } from '#client/components/feedback/sample-offers.tsx';
import type { DialogContentProps } from '#client/components/shell/dialogs-provider.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { DropZone } from './drop-zone.tsx';
import { ReadyImport } from './ready-import.tsx';
import { UploadSnippet } from './upload-snippet.tsx';
import { useImportFile } from './use-import-file.ts';

interface ImportFormProps extends DialogContentProps {
  collection?: Collection;
  projectId?: number;
  file?: File;
  others?: { count: number; onLeaveOut: () => void };
}

/** A file from being chosen to being sent; from there on the dock has it. */
export function ImportForm({ others, ...props }: ImportFormProps) {
  return (
    <>
      {others && others.count > 0 && <OtherFiles {...others} />}
      <OneImport {...props} />
    </>
  );
}

/** Of several that were dropped together. */
function OtherFiles({ count, onLeaveOut }: { count: number; onLeaveOut: () => void }) {
  const [isLeftOut, setLeftOut] = useState(false);
  const leaveOut = () => {
    setLeftOut(true);
    onLeaveOut();
  };
  return (
    <Group justify="space-between" gap="xs" mb="sm">
      <Text size="sm" c="dimmed" role="status">
        {isLeftOut
          ? 'The others are left out.'
          : `${count === 1 ? 'Another file comes' : `${count} more files come`} after this one.`}
      </Text>
      {!isLeftOut && (
        <Button size="compact-sm" variant="subtle" onClick={leaveOut}>
          Leave out {count === 1 ? 'the other' : 'the others'}
        </Button>
      )}
    </Group>
  );
}

function OneImport({ collection, projectId, file, onClose }: Omit<ImportFormProps, 'others'>) {
  const { workspace, isLoading } = useWorkspace();
  const { state, choose, reset } = useImportFile(file);
  const list = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  if (!workspace && !isLoading) return <NoWorkspace />;
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch collections" onRetry={list.refetch} />;
  if (state.step === 'reading' || !list.data) {
    return <Skeleton height="14rem" radius="md" aria-hidden="true" />;
  }
  if (state.step === 'ready') {
    return (
      <ReadyImport
        key={`${state.file.name}/${state.file.size}/${state.file.lastModified}`}
        file={state.file}
        preview={state.preview}
        collections={withGiven(list.data, collection)}
        collectionId={collection?.id ?? null}
        projectId={projectId}
        onOther={reset}
        onClose={onClose}
      />
    );
  }
  return (
    <Stack>
      {state.fault && (
        <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert">
          {state.fault}
        </Alert>
      )}
      <DropZone onFile={choose} />
      {collection ? (
        <UploadSnippet collection={collection} />
      ) : (
        <SampleOffers projectId={projectId} onLoad={onClose} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}

/** The page of a project may be open while another workspace is chosen. */
function withGiven(listed: Collection[], given: Collection | undefined): Collection[] {
  return given && !listed.some(({ id }) => id === given.id) ? [given, ...listed] : listed;
}
