import type { FormsOf } from '#client/components/shell/dialogs-provider.tsx';
import { CreateWorkspaceForm } from './create-workspace-form.tsx';

interface WorkspaceDialogs {
  'create-workspace': object;
}

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs extends WorkspaceDialogs {}
}

export const dialogs: FormsOf<WorkspaceDialogs> = {
  'create-workspace': { title: 'Create workspace', Form: CreateWorkspaceForm },
};
