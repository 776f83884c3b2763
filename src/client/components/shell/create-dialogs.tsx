import { createContext, type ReactNode, use, useMemo, useState } from 'react';
import type { Collection } from '#shared/collections.ts';
import type { Project } from '#shared/projects.ts';

/**
 * The create and edit dialogs, opened from anywhere in the console: `useCreateDialogs().open({ kind: 'create-collection' })`.
 * The dialogs themselves belong to their features; the `_console` route mounts them and reads `dialog`.
 */
export type Dialog =
  | { kind: 'create-workspace' }
  | { kind: 'create-project' }
  /** Absent `projectId`: the one selected in the top bar. */
  | { kind: 'create-collection'; projectId?: number }
  | { kind: 'edit-project'; project: Project }
  | { kind: 'edit-collection'; collection: Collection };

export interface CreateDialogs {
  /** What is open. */
  dialog: Dialog | null;
  open(dialog: Dialog): void;
  close(): void;
}

const CreateDialogsContext = createContext<CreateDialogs | null>(null);

export function useCreateDialogs(): CreateDialogs {
  const dialogs = use(CreateDialogsContext);
  if (!dialogs) throw new Error('useCreateDialogs must be used within a CreateDialogsProvider');
  return dialogs;
}

export function CreateDialogsProvider({ children }: { children: ReactNode }) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const value = useMemo(
    (): CreateDialogs => ({ dialog, open: setDialog, close: () => setDialog(null) }),
    [dialog],
  );
  return <CreateDialogsContext value={value}>{children}</CreateDialogsContext>;
}
