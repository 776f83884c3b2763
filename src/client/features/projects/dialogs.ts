import type { Project } from '#shared/projects.ts';
import { CreateProjectForm } from './create-project-form.tsx';
import { EditProjectForm } from './edit-project-form.tsx';

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs {
    'create-project': object;
    'edit-project': { project: Project };
  }
}

export const projectDialogs = {
  'create-project': { title: 'Create project', Form: CreateProjectForm },
  'edit-project': { title: 'Edit project', Form: EditProjectForm },
};
