import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useLast } from '#client/lib/use-last.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Project } from '#shared/projects.ts';

interface DeleteProjectDialogProps {
  /** `null` while nothing is to be deleted. */
  project: Project | null;
  onClose: () => void;
}

/** Deleting a project takes its collections and keys with it, so a name has to be typed where there are any. */
export function DeleteProjectDialog({ project, onClose }: DeleteProjectDialogProps) {
  const shown = useLast(project);
  const remove = trpc.projects.delete.useMutation({
    meta: { changes: 'projects' },
    onSuccess: () => {
      onClose();
      toast({ title: 'Project deleted', description: 'The project has been successfully deleted.' });
    },
    onError: (error) =>
      toast({ title: 'Failed to delete project', description: errorMessage(error), kind: 'error' }),
  });
  const send = useOnce(remove.mutateAsync, ({ id }) => id);
  const isEmpty = shown?.collectionsCount === 0 && shown.apiKeysCount === 0;
  return (
    <ConfirmDialog
      opened={project !== null}
      title="Delete project"
      confirmLabel="Delete project"
      textToType={isEmpty ? undefined : shown?.name}
      isPending={remove.isPending}
      onClose={onClose}
      onConfirm={() => project && send({ id: project.id })}
    >
      This permanently deletes <strong>{shown?.name}</strong>
      {isEmpty
        ? '.'
        : ', its collections with all their documents, and its API keys. Whatever uses them stops working at once.'}
    </ConfirmDialog>
  );
}
