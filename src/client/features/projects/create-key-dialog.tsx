import { Alert, Button, Checkbox, Group, Modal, MultiSelect, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Disclosure } from '#client/components/display/disclosure.tsx';
import { Icon } from '#client/components/display/icon.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { type Permission, permissions } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import { name as nameRule } from '#shared/fields.ts';

interface CreateKeyDialogProps {
  opened: boolean;
  projectId: number;
  collections: Collection[];
  onClose: () => void;
}

interface KeyValues {
  name: string;
  permissions: Permission[];
  /** Days from now; '' is never. */
  expiresInDays: string;
  collections: string[];
}

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const permissionLabels: Record<Permission, string> = {
  read: 'Read: searches and reads documents',
  write: 'Write: changes documents and collections',
};

export function CreateKeyDialog({ opened, onClose, ...rest }: CreateKeyDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Create API key">
      <CreateKeyForm {...rest} onClose={onClose} />
    </Modal>
  );
}

function CreateKeyForm({ projectId, collections, onClose }: Omit<CreateKeyDialogProps, 'opened'>) {
  const create = trpc.apiKeys.create.useMutation({
    meta: { changes: 'apiKeys' },
    onSuccess: () => {
      onClose();
      toast({ title: 'API key created', description: 'New API key has been generated successfully.' });
    },
    onError: () => toastError('Failed to create API key. Please try again.'),
  });
  const form = useForm<KeyValues>({
    initialValues: { name: '', permissions: [...permissions], expiresInDays: '', collections: [] },
    validate: {
      name: (value) => nameRule.safeParse(value).error?.issues[0]?.message ?? null,
      permissions: (value) => (value.length === 0 ? 'name at least one permission' : null),
    },
  });
  const send = useOnce(create.mutateAsync);
  const submit = form.onSubmit((values) =>
    send({
      name: values.name.trim(),
      projectId,
      permissions: values.permissions,
      ...(values.expiresInDays ? { expiresAt: daysFromNow(Number(values.expiresInDays)) } : {}),
      ...(values.collections.length > 0 ? { collections: values.collections } : {}),
    }),
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {create.error && (
          <Alert color="red" icon={<Icon name="alert" />} role="alert">
            {errorMessage(create.error)}
          </Alert>
        )}
        <TextInput
          label="Name"
          placeholder="Website"
          description="Where the key is used, so that you know it again."
          required
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Disclosure label="Permissions, expiry and limits">
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
        </Disclosure>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create API key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}
