import { Button } from '@mantine/core';
import { boxIcon } from '../display/icon-shapes.gen.ts';
import { useDialogs } from '../shell/dialogs-provider.tsx';
import { EmptyState } from './empty-state.tsx';

/** In place of what a workspace holds, where none is chosen because there is none. */
export function NoWorkspace() {
  const { open } = useDialogs();
  return (
    <EmptyState
      icon={boxIcon}
      title="Select a Workspace"
      description="Projects and collections live in a workspace. Choose one at the top of the page, or make a new one."
    >
      <Button onClick={() => open('create-workspace')}>New Workspace</Button>
    </EmptyState>
  );
}
