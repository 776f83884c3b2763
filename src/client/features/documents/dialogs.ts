import type { FormsOf } from '#client/components/shell/dialogs-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { ImportDialog, MendDialog } from './import-dialog.tsx';
import type { Rejects } from './rejects.ts';

interface DocumentDialogs {
  /** Into a collection, into a new one of a project, or wherever the reader says. `file`: that is chosen already. */
  'import-documents': { collection?: Collection; projectId?: number; file?: File };
  'mend-rows': { rejects: Rejects };
}

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs extends DocumentDialogs {}
}

export const dialogs: FormsOf<DocumentDialogs> = {
  'import-documents': { title: 'Import documents', size: 'xl', Form: ImportDialog },
  'mend-rows': { title: 'Mend failed rows', size: 'xl', Form: MendDialog },
};
