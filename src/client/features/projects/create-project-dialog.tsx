import { Modal } from '@mantine/core';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { ProjectFields } from './project-fields.tsx';

interface CreateProjectDialogProps {
  opened: boolean;
  onClose: () => void;
}

export function CreateProjectDialog({ opened, onClose }: CreateProjectDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create project">
      <CreateProjectForm onClose={onClose} />
    </Modal>
  );
}

/** Inside the modal, so that it starts afresh each time. */
function CreateProjectForm({ onClose }: { onClose: () => void }) {
  const { workspace } = useWorkspace();
  const create = trpc.projects.create.useMutation({
    meta: { changes: 'projects' },
    onSuccess: (project) => {
      onClose();
      toast({ title: 'Project created', description: project.name });
    },
    onError: () => toastError('Failed to create project. Please try again.'),
  });
  const send = useOnce(create.mutateAsync);
  return (
    <ProjectFields
      initial={{ name: '', description: '' }}
      submitLabel="Create project"
      isPending={create.isPending}
      obstacle={workspace ? undefined : 'Select a workspace first: a project belongs to one.'}
      error={create.error ? errorMessage(create.error) : undefined}
      onCancel={onClose}
      onSubmit={({ name, description }) => {
        if (!workspace) return;
        send({ name, workspaceId: workspace.id, ...(description ? { description } : {}) });
      }}
    />
  );
}
