import { Button, Group, Stack } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { fileTextIcon, plusIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { SampleOffers } from '#client/components/feedback/sample-offers.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import type { Collection } from '#shared/collections.ts';

/** In place of the documents of an empty collection: what to begin with. */
export function NoDocuments({ collection, onAdd }: { collection: Collection; onAdd: () => void }) {
  const { open } = useDialogs();
  return (
    <Stack gap={0} align="center">
      <EmptyState
        icon={fileTextIcon}
        title="No documents yet"
        description="Import JSON, CSV or NDJSON, or drop a file anywhere on this page. A document is any JSON object; its fields are read off it."
      >
        <Group gap="xs" justify="center">
          <Button
            variant="light"
            leftSection={<Icon shape={uploadIcon} />}
            onClick={() => open('import-documents', { collection })}
          >
            Import a file
          </Button>
          <Button variant="default" leftSection={<Icon shape={plusIcon} />} onClick={onAdd}>
            Write one
          </Button>
        </Group>
      </EmptyState>
      <SampleOffers projectId={collection.projectId} />
    </Stack>
  );
}
