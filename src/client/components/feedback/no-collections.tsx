import { Button } from '@mantine/core';
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs';
import IconStack2 from '@tabler/icons-react/dist/esm/icons/IconStack2.mjs';
import { Icon } from '../display/icon.tsx';
import { useDialogs } from '../shell/dialogs-provider.tsx';
import { EmptyState } from './empty-state.tsx';

/** In place of a list of collections that is empty. `projectId`: the one that the first is made in. */
export function NoCollections({ projectId }: { projectId?: number }) {
  const { open } = useDialogs();
  return (
    <EmptyState
      icon={IconStack2}
      title="No collections yet"
      description="A collection holds documents and answers searches by word and by meaning."
    >
      <Button
        leftSection={<Icon shape={IconPlus} />}
        onClick={() => open('create-collection', projectId === undefined ? {} : { projectId })}
      >
        Create Collection
      </Button>
    </EmptyState>
  );
}
