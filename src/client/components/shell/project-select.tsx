import { Select } from '@mantine/core';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { Icon } from '../display/icon.tsx';
import { folderIcon } from '../display/icon-shapes.gen.ts';

/** Which project, if only one is wanted. */
export function ProjectSelect() {
  const { workspace, projects, project, selectProject } = useWorkspace();
  return (
    <Select
      w="11rem"
      size="xs"
      aria-label="Project"
      placeholder="All projects"
      nothingFoundMessage="No projects yet"
      clearable
      clearButtonProps={{ 'aria-label': 'All projects' }}
      disabled={!workspace}
      leftSection={<Icon shape={folderIcon} size={16} />}
      data={projects.map(({ id, name }) => ({ value: id, label: name }))}
      value={project?.id ?? null}
      onChange={selectProject}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
