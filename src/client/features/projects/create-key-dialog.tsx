import { Checkbox, MultiSelect, Select, Stack } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { Disclosure } from '#client/components/display/disclosure.tsx';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import { schemaSentences } from '#client/components/fields/schema-sentences.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { type RouterInputs, trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { apiKeyCreate, type Permission, permissions } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';

interface CreateKeyDialogProps {
  opened: boolean;
  projectId: number;
  collections: Collection[];
  onClose: () => void;
}

const schema = apiKeyCreate.pick({ name: true, permissions: true }).loose();

interface KeyValues {
  name: string;
  permissions: Permission[];
  /** Days from now; 0 is never. */
  expiresInDays: number;
  collections: string[];
}

const lifetimes = [
  { value: 0, label: 'Never' },
  { value: 7, label: 'In 7 days' },
  { value: 30, label: 'In 30 days' },
  { value: 90, label: 'In 90 days' },
  { value: 365, label: 'In a year' },
];
const permissionLabels: Record<Permission, string> = {
  read: 'Read: searches and reads documents',
  write: 'Write: changes documents and collections',
};

export function CreateKeyDialog({ opened, onClose, ...rest }: CreateKeyDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Create API key">
      <CreateKeyForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

/** Inside the modal, so that it starts afresh each time. */
function CreateKeyForm({ projectId, collections, onClose }: Omit<CreateKeyDialogProps, 'opened'>) {
  const create = trpc.apiKeys.create.useMutation({
    meta: { changes: 'apiKeys' },
    // The answer holds the whole key.
    gcTime: 0,
    onSuccess: () => {
      onClose();
      toast({ title: 'API key created', description: 'New API key has been generated successfully.' });
    },
    onError: () => toastError('Failed to create API key. Please try again.'),
  });
  const form = useForm<KeyValues>({
    initialValues: { name: '', permissions: [...permissions], expiresInDays: 0, collections: [] },
    validate: schemaSentences(schema),
  });
  const send = useOnce(create.mutateAsync);
  return (
    <DialogForm
      submitLabel="Create API key"
      isPending={create.isPending}
      error={create.error}
      onSubmit={form.onSubmit((values) => send(keyInput(projectId, values)))}
      onCancel={onClose}
    >
      <NameField
        placeholder="Website"
        description="Where the key is used, so that you know it again."
        {...form.getInputProps('name')}
      />
      <Disclosure label="Permissions, expiry and limits">
        <Limits form={form} collections={collections} />
      </Disclosure>
    </DialogForm>
  );
}

function Limits({ form, collections }: { form: UseFormReturnType<KeyValues>; collections: Collection[] }) {
  return (
    <Stack gap="md">
      <Checkbox.Group label="Permissions" {...form.getInputProps('permissions')}>
        <Stack gap="xs" mt={6}>
          {permissions.map((permission) => (
            <Checkbox key={permission} value={permission} label={permissionLabels[permission]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Select
        label="Expires"
        allowDeselect={false}
        data={lifetimes}
        {...form.getInputProps('expiresInDays')}
      />
      <MultiSelect
        label="Only these collections"
        placeholder={form.values.collections.length === 0 ? 'All of the project' : ''}
        data={collections.map(({ name }) => name)}
        searchable
        clearable
        {...form.getInputProps('collections')}
      />
    </Stack>
  );
}

function keyInput(
  projectId: number,
  { name, permissions, expiresInDays, collections }: KeyValues,
): RouterInputs['apiKeys']['create'] {
  return {
    name: name.trim(),
    projectId,
    permissions,
    ...(expiresInDays > 0 ? { expiresAt: daysFromNow(expiresInDays) } : {}),
    ...(collections.length > 0 ? { collections } : {}),
  };
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
