import { CreateWorkspaceForm } from './create-workspace-form.tsx';

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs {
    'create-workspace': object;
  }
}

export const workspaceDialogs = {
  'create-workspace': { title: 'Create workspace', Form: CreateWorkspaceForm },
};
