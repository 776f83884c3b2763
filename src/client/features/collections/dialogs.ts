import type { Collection } from '#shared/collections.ts';
import { CreateCollectionForm } from './create-collection-form.tsx';
import { EditCollectionForm } from './edit-collection-form.tsx';

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs {
    /** Absent `projectId`: the one selected in the top bar. */
    'create-collection': { projectId?: number };
    'edit-collection': { collection: Collection };
  }
}

export const collectionDialogs = {
  'create-collection': { title: 'Create collection', size: 'lg' as const, Form: CreateCollectionForm },
  'edit-collection': { title: 'Edit collection', Form: EditCollectionForm },
};
