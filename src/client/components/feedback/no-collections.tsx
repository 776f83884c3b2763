import { Button } from '@mantine/core';
import { Icon } from '../display/icon.tsx';
import { plusIcon, stack2Icon } from '../display/icon-shapes.gen.ts';
import { useDialogs } from '../shell/dialogs-provider.tsx';
import { EmptyState } from './empty-state.tsx';

/** In place of a list of collections that is empty. `projectId`: the one that the first is made in. */
export function NoCollections({ projectId }: { projectId?: number }) {
  const { open } = useDialogs();
  return (
    <EmptyState
      icon={stack2Icon}
      title="No collections yet"
      description="A collection holds documents and answers searches by word and by meaning."
    >
      <Button
        leftSection={<Icon shape={plusIcon} />}
        onClick={() => open('create-collection', projectId === undefined ? {} : { projectId })}
      >
        Create Collection
      </Button>
    </EmptyState>
  );
}
