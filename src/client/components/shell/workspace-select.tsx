import { Select } from '@mantine/core';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { Icon } from '../display/icon.tsx';
import { boxIcon } from '../display/icon-shapes.gen.ts';

/** Which workspace the console shows. */
export function WorkspaceSelect() {
  const { workspaces, workspace, selectWorkspace } = useWorkspace();
  return (
    <Select
      w="11rem"
      size="xs"
      aria-label="Workspace"
      placeholder="Select a workspace"
      nothingFoundMessage="No workspaces yet"
      allowDeselect={false}
      leftSection={<Icon shape={boxIcon} size={16} />}
      data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
      value={workspace?.id ?? null}
      onChange={(id) => id !== null && selectWorkspace(id)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
