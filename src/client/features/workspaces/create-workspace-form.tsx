import { useForm } from '@mantine/form';
import { DescriptionField } from '#client/components/fields/description-field.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import { schemaSentences } from '#client/components/fields/schema-sentences.ts';
import type { DialogContentProps } from '#client/components/shell/dialogs-provider.tsx';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { slugOf } from '#shared/slug.ts';
import { workspaceCreate } from '#shared/workspaces.ts';

const schema = workspaceCreate.pick({ name: true, description: true });

/** A new workspace, which is the chosen one afterwards. */
export function CreateWorkspaceForm({ onClose }: DialogContentProps) {
  const { selectWorkspace } = useWorkspace();
  const utils = trpc.useUtils();
  const create = trpc.workspaces.create.useMutation({
    meta: { changes: 'workspaces' },
    onSuccess: (workspace) => {
      // It can be chosen once it is in the list.
      utils.workspaces.list.setData(undefined, (rows) => [...(rows ?? []), { ...workspace, role: 'owner' }]);
      selectWorkspace(workspace.id);
      onClose();
      toast({ title: 'Workspace created', description: workspace.name });
    },
    onError: () => toastError('Failed to create workspace. Please try again.'),
  });
  const form = useForm({
    initialValues: { name: '', description: '' },
    validate: schemaSentences(schema),
  });
  const send = useOnce(create.mutateAsync);
  const submit = form.onSubmit((values) => {
    const name = values.name.trim();
    const description = values.description.trim();
    send({ name, slug: slugOf(name), ...(description ? { description } : {}) });
  });
  return (
    <DialogForm
      submitLabel="Create workspace"
      isPending={create.isPending}
      isReady={form.values.name.trim() !== ''}
      error={create.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      <NameField
        placeholder="Acme"
        description="A team, a customer or a product"
        {...form.getInputProps('name')}
      />
      <DescriptionField
        placeholder="What this workspace is for (optional)"
        {...form.getInputProps('description')}
      />
    </DialogForm>
  );
}
