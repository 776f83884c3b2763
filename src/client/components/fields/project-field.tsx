import { Button, Group, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Project } from '#shared/projects.ts';

interface ProjectFieldProps {
  projects: Project[];
  value: number | null;
  onChange: (id: number | null) => void;
  error?: ReactNode;
}

/** Stands for the project that is made here. */
const newProject = 'new';

/** Which project something goes into, or a new one, which is made on the spot. */
export function ProjectField({ projects, value, onChange, error }: ProjectFieldProps) {
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<Project[]>([]);
  const { workspace } = useWorkspace();
  // The list is fetched anew after one was made; until then it is known here.
  const all = [...projects, ...made.filter(({ id }) => projects.every((known) => known.id !== id))];
  const isNew = isMaking || all.length === 0;
  return (
    <>
      <Select
        label="Project"
        placeholder="Choose a project"
        required
        searchable={all.length > 8}
        allowDeselect={false}
        data={[
          ...all.map(({ id, name }) => ({ value: String(id), label: name })),
          { value: newProject, label: 'New project…' },
        ]}
        value={isNew ? newProject : value === null ? null : String(value)}
        onChange={(chosen) => {
          setMaking(chosen === newProject);
          if (chosen !== newProject) onChange(chosen === null ? null : Number(chosen));
        }}
        error={isNew ? undefined : error}
      />
      {isNew && workspace && (
        <NewProject
          workspaceId={workspace.id}
          error={error}
          onMade={(project) => {
            setMade([...made, project]);
            setMaking(false);
            onChange(project.id);
          }}
        />
      )}
    </>
  );
}

interface NewProjectProps {
  workspaceId: number;
  error: ReactNode;
  onMade: (project: Project) => void;
}

/** Not a form, because it stands in one. */
function NewProject({ workspaceId, error, onMade }: NewProjectProps) {
  const [name, setName] = useState('My project');
  const create = trpc.projects.create.useMutation({ meta: { changes: 'projects' }, onSuccess: onMade });
  const send = useOnce(create.mutateAsync);
  const make = () => name.trim() !== '' && send({ name, workspaceId });
  return (
    <Group align="flex-end" gap="xs" wrap="nowrap">
      <TextInput
        label="Name of the new project"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          make();
        }}
        error={create.error ? errorMessage(create.error, 'Failed to create project') : error}
        flex={1}
        autoComplete="off"
      />
      <Button variant="default" loading={create.isPending} disabled={name.trim() === ''} onClick={make}>
        Make project
      </Button>
    </Group>
  );
}
