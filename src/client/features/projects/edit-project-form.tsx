import type { DialogContentProps } from '#client/components/shell/dialogs-provider.tsx';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Project } from '#shared/projects.ts';
import { ProjectFields } from './project-fields.tsx';

export function EditProjectForm({ project, onClose }: DialogContentProps & { project: Project }) {
  const update = trpc.projects.update.useMutation({
    meta: { changes: 'projects' },
    onSuccess: (updated) => {
      onClose();
      toast({ title: 'Project updated', description: updated.name });
    },
    onError: () => toastError('Failed to update project. Please try again.'),
  });
  const send = useOnce(update.mutateAsync);
  return (
    <ProjectFields
      initial={{ name: project.name, description: project.description ?? '' }}
      submitLabel="Save changes"
      isPending={update.isPending}
      error={update.error}
      onCancel={onClose}
      onSubmit={(values) => send({ id: project.id, ...values })}
    />
  );
}
