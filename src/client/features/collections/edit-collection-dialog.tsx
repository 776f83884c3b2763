import { Alert, Button, Group, Modal, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Icon } from '#client/components/display/icon.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import type { Collection } from '#shared/collections.ts';
import { description as descriptionRule, name as nameRule } from '#shared/fields.ts';

interface EditCollectionDialogProps {
  opened: boolean;
  /** `null` while nothing is edited. */
  collection: Collection | null;
  onClose: () => void;
}

export function EditCollectionDialog({ opened, collection, onClose }: EditCollectionDialogProps) {
  return (
    <Modal opened={opened && collection !== null} onClose={onClose} title="Edit collection">
      {collection && <EditCollectionForm collection={collection} onClose={onClose} />}
    </Modal>
  );
}

function EditCollectionForm({ collection, onClose }: { collection: Collection; onClose: () => void }) {
  const update = trpc.collections.update.useMutation({
    meta: { changes: 'collections' },
    onSuccess: () => {
      onClose();
      toast({
        title: 'Collection updated',
        description: 'Your collection has been successfully updated.',
      });
    },
    onError: () => toastError('Failed to update collection. Please try again.'),
  });
  const form = useForm({
    initialValues: {
      name: collection.name,
      description: collection.description ?? '',
      isActive: collection.isActive,
    },
    validate: {
      name: (value) =>
        value.trim() === ''
          ? 'Collection name is required'
          : (nameRule.safeParse(value).error?.issues[0]?.message ?? null),
      description: (value) => descriptionRule.safeParse(value).error?.issues[0]?.message ?? null,
    },
  });
  const send = useOnce(update.mutateAsync);
  const submit = form.onSubmit(({ name, description, isActive }) =>
    send({
      collection: String(collection.id),
      name: name.trim(),
      description: description.trim() || null,
      isActive,
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {update.error && (
          <Alert color="red" icon={<Icon name="alert" />} role="alert">
            {errorMessage(update.error)}
          </Alert>
        )}
        <TextInput
          label="Name"
          required
          data-autofocus
          autoComplete="off"
          description="Callers that use the old name in their paths have to be changed; the id stays."
          {...form.getInputProps('name')}
        />
        <Textarea
          label="Description"
          autosize
          minRows={2}
          maxRows={6}
          {...form.getInputProps('description')}
        />
        <Switch
          label="Active"
          description="An inactive collection keeps its documents but refuses searches and writes."
          {...form.getInputProps('isActive', { type: 'checkbox' })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={update.isPending}>
            Save changes
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
