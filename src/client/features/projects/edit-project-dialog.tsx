import { Modal } from '@mantine/core';
import { errorMessage } from '#client/lib/error-message.ts';
import { useInvalidate } from '#client/lib/invalidate.ts';
import { toast } from '#client/lib/toast.ts';
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
  const invalidate = useInvalidate();
  const update = trpc.projects.update.useMutation({
    onSuccess: async (updated) => {
      onClose();
      toast({ title: 'Project updated', description: updated.name });
      await invalidate('projects');
    },
    onError: () =>
      toast({
        title: 'Error',
        description: 'Failed to update project. Please try again.',
        kind: 'error',
      }),
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
