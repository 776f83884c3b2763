import { Modal } from '@mantine/core';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Project } from '#shared/projects.ts';
import { ProjectFields } from './project-fields.tsx';

interface EditProjectDialogProps {
  opened: boolean;
  /** `null` while nothing is edited. */
  project: Project | null;
  onClose: () => void;
}

export function EditProjectDialog({ opened, project, onClose }: EditProjectDialogProps) {
  return (
    <Modal opened={opened && project !== null} onClose={onClose} title="Edit project">
      {project && <EditProjectForm project={project} onClose={onClose} />}
    </Modal>
  );
}

function EditProjectForm({ project, onClose }: { project: Project; onClose: () => void }) {
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
      error={update.error ? errorMessage(update.error) : undefined}
      onCancel={onClose}
      onSubmit={({ name, description }) => send({ id: project.id, name, description: description || null })}
    />
  );
}
