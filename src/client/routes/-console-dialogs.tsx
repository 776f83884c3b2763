import { useState } from 'react';
import { useCreateDialogs } from '#client/components/shell/create-dialogs.tsx';
import { CreateCollectionDialog } from '#client/features/collections/create-collection-dialog.tsx';
import { EditCollectionDialog } from '#client/features/collections/edit-collection-dialog.tsx';
import { CreateProjectDialog } from '#client/features/projects/create-project-dialog.tsx';
import { EditProjectDialog } from '#client/features/projects/edit-project-dialog.tsx';
import { CreateWorkspaceDialog } from '#client/features/workspaces/create-workspace-dialog.tsx';

/** The features' dialogs, one of which `useCreateDialogs()` opens from anywhere in the console. */
export function ConsoleDialogs() {
  const { dialog, close } = useCreateDialogs();
  const [last, setLast] = useState(dialog);
  // What was edited stays in the dialog while it fades out.
  if (dialog && dialog !== last) setLast(dialog);
  return (
    <>
      <CreateWorkspaceDialog opened={dialog?.kind === 'create-workspace'} onClose={close} />
      <CreateProjectDialog opened={dialog?.kind === 'create-project'} onClose={close} />
      <CreateCollectionDialog
        opened={dialog?.kind === 'create-collection'}
        projectId={last?.kind === 'create-collection' ? last.projectId : undefined}
        onClose={close}
      />
      <EditProjectDialog
        opened={dialog?.kind === 'edit-project'}
        project={last?.kind === 'edit-project' ? last.project : null}
        onClose={close}
      />
      <EditCollectionDialog
        opened={dialog?.kind === 'edit-collection'}
        collection={last?.kind === 'edit-collection' ? last.collection : null}
        onClose={close}
      />
    </>
  );
}
