import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import { description as descriptionRule, name as nameRule } from '#shared/fields.ts';
import { slugOf } from '#shared/slug.ts';

interface CreateWorkspaceDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** A new workspace, which is the chosen one afterwards. */
export function CreateWorkspaceDialog({ opened, onClose }: CreateWorkspaceDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create workspace">
      <CreateWorkspaceForm onClose={onClose} />
    </Modal>
  );
}

const wordsOf = (result: { error?: { issues: { message: string }[] } | undefined }) =>
  result.error?.issues[0]?.message ?? null;

/** Inside the modal, so that it starts afresh each time. */
function CreateWorkspaceForm({ onClose }: { onClose: () => void }) {
  const { selectWorkspace } = useWorkspace();
  const utils = trpc.useUtils();
  const create = trpc.workspaces.create.useMutation({
    meta: { changes: 'workspaces' },
    onSuccess: (workspace) => {
      // It can be chosen once it is in the list.
      utils.workspaces.list.setData(undefined, (rows) => [...(rows ?? []), workspace]);
      selectWorkspace(String(workspace.id));
      onClose();
      toast({ title: 'Workspace created', description: workspace.name });
    },
    onError: () => toastError('Failed to create workspace. Please try again.'),
  });
  const form = useForm({
    initialValues: { name: '', description: '' },
    validate: {
      name: (value) => wordsOf(nameRule.safeParse(value)),
      description: (value) => wordsOf(descriptionRule.safeParse(value)),
    },
  });
  const send = useOnce(create.mutateAsync);
  const slug = slugOf(form.values.name);
  const submit = form.onSubmit((values) => {
    const name = values.name.trim();
    const description = values.description.trim();
    send({ name, slug: slugOf(name), ...(description ? { description } : {}) });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput
          label="Name"
          required
          data-autofocus
          autoComplete="off"
          placeholder="Acme"
          description={slug ? `In addresses: ${slug}` : 'A team, a customer or a product'}
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Description"
          placeholder="What this workspace is for (optional)"
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('description')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={form.values.name.trim() === ''}>
            Create workspace
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
