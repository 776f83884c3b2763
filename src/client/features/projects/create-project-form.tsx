import type { DialogContentProps } from '#client/components/shell/dialogs-provider.tsx';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { ProjectFields } from './project-fields.tsx';

export function CreateProjectForm({ onClose }: DialogContentProps) {
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
      obstacle={workspace ? null : 'Select a workspace first: a project belongs to one.'}
      error={create.error}
      onCancel={onClose}
      onSubmit={({ name, description }) => {
        if (!workspace) return;
        send({ name, workspaceId: workspace.id, ...(description.trim() ? { description } : {}) });
      }}
    />
  );
}
