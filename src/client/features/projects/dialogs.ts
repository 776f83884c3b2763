import type { FormsOf } from '#client/components/shell/dialogs-provider.tsx';
import type { Project } from '#shared/projects.ts';
import { CreateProjectForm } from './create-project-form.tsx';
import { EditProjectForm } from './edit-project-form.tsx';

interface ProjectDialogs {
  'create-project': object;
  'edit-project': { project: Project };
}

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs extends ProjectDialogs {}
}

export const dialogs: FormsOf<ProjectDialogs> = {
  'create-project': { title: 'Create project', Form: CreateProjectForm },
  'edit-project': { title: 'Edit project', Form: EditProjectForm },
};
