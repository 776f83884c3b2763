import { Button, Stack } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { fileTextIcon, uploadIcon } from '#client/components/display/icon-shapes.gen.ts';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { SampleOffers } from '#client/components/feedback/sample-offers.tsx';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import type { Collection } from '#shared/collections.ts';

/** Where there is nothing to search in: a file or a sample to begin with. `null`: all collections are empty. */
export function NoDocuments({ collection }: { collection: Collection | null }) {
  const { open } = useDialogs();
  const empty = collection === null ? 'These collections are empty' : `${collection.name} is empty`;
  return (
    <Stack gap={0} align="center">
      <EmptyState
        icon={fileTextIcon}
        title="No documents yet"
        description={`${empty}. Drop a file anywhere on this page, and search it here.`}
      >
        <Button
          variant="light"
          leftSection={<Icon shape={uploadIcon} />}
          onClick={() => open('import-documents', collection === null ? {} : { collection })}
        >
          Import a file
        </Button>
      </EmptyState>
      <SampleOffers projectId={collection?.projectId} />
    </Stack>
  );
}
