import { Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { z } from 'zod';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { schemaSentences } from '#client/components/fields/schema-sentences.ts';
import type { DialogContentProps } from '#client/components/shell/dialogs-provider.tsx';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { type Collection, collectionUpdate } from '#shared/collections.ts';
import { name } from '#shared/fields.ts';
import { CollectionFields, settingsOf } from './collection-fields.tsx';

const schema = collectionUpdate
  .omit({ collection: true })
  .extend({ name: z.string().trim().min(1, 'Collection name is required').pipe(name) });

export function EditCollectionForm({ collection, onClose }: DialogContentProps & { collection: Collection }) {
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
    initialValues: { ...settingsOf(collection), isActive: collection.isActive },
    validate: schemaSentences(schema),
  });
  const send = useOnce(update.mutateAsync);
  const submit = form.onSubmit((values) => send({ collection: collection.id, ...values }));
  return (
    <DialogForm
      submitLabel="Save changes"
      isPending={update.isPending}
      error={update.error}
      onSubmit={submit}
      onCancel={onClose}
    >
      <CollectionFields
        form={form}
        nameHint="Callers that use the old name in their paths have to be changed; the id stays."
      />
      <Switch
        label="Active"
        description="An inactive collection keeps its documents but refuses searches and writes."
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </DialogForm>
  );
}
