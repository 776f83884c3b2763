import type { FormsOf } from '#client/components/shell/dialogs-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { ImportDialog, MendDialog } from './import-dialog.tsx';
import type { Rejects } from './rejects.ts';

interface DocumentDialogs {
  /** Into a collection, into a new one of a project, or wherever the reader says. */
  'import-documents': {
    collection?: Collection;
    projectId?: number;
    /** That is chosen already. */
    file?: File;
    /** Those that come after it, each in its own turn. */
    others?: { count: number; onLeaveOut: () => void };
  };
  'mend-rows': { rejects: Rejects };
}

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs extends DocumentDialogs {}
}

export const dialogs: FormsOf<DocumentDialogs> = {
  'import-documents': { title: 'Import documents', size: 'xl', Form: ImportDialog },
  'mend-rows': { title: 'Mend failed rows', size: 'xl', Form: MendDialog },
};
