import type { FormsOf } from '#client/components/shell/dialogs-provider.tsx';
import type { Collection } from '#shared/collections.ts';
import { CreateCollectionForm } from './create-collection-form.tsx';
import { EditCollectionForm } from './edit-collection-form.tsx';

interface CollectionDialogs {
  /** Absent `projectId`: the one selected in the top bar. */
  'create-collection': { projectId?: number };
  'edit-collection': { collection: Collection };
}

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs extends CollectionDialogs {}
}

export const dialogs: FormsOf<CollectionDialogs> = {
  'create-collection': { title: 'Create collection', size: 'lg', Form: CreateCollectionForm },
  'edit-collection': { title: 'Edit collection', Form: EditCollectionForm },
};
