import { Select } from '@mantine/core';
import IconBox from '@tabler/icons-react/dist/esm/icons/IconBox.mjs';
import IconFolder from '@tabler/icons-react/dist/esm/icons/IconFolder.mjs';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { Icon } from '../display/icon.tsx';
import classes from './selectors.module.css';

const names = (rows: { id: number; name: string }[]) =>
  rows.map(({ id, name }) => ({ value: id, label: name }));

/** Which workspace the console shows. */
export function WorkspaceSelect() {
  const { workspaces, workspace, selectWorkspace } = useWorkspace();
  return (
    <Select
      className={classes['select'] ?? ''}
      size="xs"
      aria-label="Workspace"
      placeholder="Select a workspace"
      nothingFoundMessage="No workspaces yet"
      allowDeselect={false}
      leftSection={<Icon shape={IconBox} size={16} />}
      data={names(workspaces)}
      value={workspace?.id ?? null}
      onChange={(id) => id !== null && selectWorkspace(id)}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}

/** Which project, if only one is wanted. */
export function ProjectSelect() {
  const { workspace, projects, project, selectProject } = useWorkspace();
  return (
    <Select
      className={classes['select'] ?? ''}
      size="xs"
      aria-label="Project"
      placeholder="All projects"
      nothingFoundMessage="No projects yet"
      clearable
      clearButtonProps={{ 'aria-label': 'All projects' }}
      disabled={!workspace}
      leftSection={<Icon shape={IconFolder} size={16} />}
      data={names(projects)}
      value={project?.id ?? null}
      onChange={selectProject}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
