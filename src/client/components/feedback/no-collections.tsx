import { Button, Group, Stack } from '@mantine/core';
import { useMay } from '#client/lib/workspace-provider.tsx';
import { Icon } from '../display/icon.tsx';
import { plusIcon, stack2Icon, uploadIcon } from '../display/icon-shapes.gen.ts';
import { useDialogs } from '../shell/dialogs-provider.tsx';
import { EmptyState } from './empty-state.tsx';
import { SampleOffers } from './sample-offers.tsx';

interface NoCollectionsProps {
  title?: string;
  /** The one that the first is made in. */
  projectId?: number;
  /** False: the page offers samples elsewhere. */
  withSamples?: boolean;
}

/** In place of a list of collections that is empty: a file, a sample or an empty collection to begin with. */
export function NoCollections({
  title = 'No collections yet',
  projectId,
  withSamples = true,
}: NoCollectionsProps) {
  const { open } = useDialogs();
  const may = useMay();
  const place = projectId === undefined ? {} : { projectId };
  return (
    <Stack gap={0} align="center">
      <EmptyState
        icon={stack2Icon}
        title={title}
        description={`A collection holds documents and answers searches by word and by meaning. ${may('editor') ? 'Drop a file anywhere on this page to make one of it.' : 'Editors make them; you may search them.'}`}
      >
        {may('editor') && (
          <Group gap="xs" justify="center">
            <Button
              variant="light"
              leftSection={<Icon shape={uploadIcon} />}
              onClick={() => open('import-documents', place)}
            >
              Import a file
            </Button>
            <Button
              variant="default"
              leftSection={<Icon shape={plusIcon} />}
              onClick={() => open('create-collection', place)}
            >
              Create Collection
            </Button>
          </Group>
        )}
      </EmptyState>
      {withSamples && may('editor') && <SampleOffers projectId={projectId} />}
    </Stack>
  );
}
