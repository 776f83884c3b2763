import { Button, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { NameField } from '#client/components/fields/name-field.tsx';
import { schemaSentences } from '#client/components/fields/schema-sentences.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { toast, toastError } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { type NewWebhook, type Webhook, webhookCreate } from '#shared/webhooks.ts';
import { WebhookSecret } from './webhook-secret.tsx';

interface WebhookDialogProps {
  opened: boolean;
  workspaceId: number;
  /** Null: a new one. */
  webhook: Webhook | null;
  onClose: () => void;
}

export function WebhookDialog({ opened, onClose, ...rest }: WebhookDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={rest.webhook ? 'Edit webhook' : 'New webhook'}>
      <Steps {...rest} onClose={onClose} />
    </Dialog>
  );
}

type StepsProps = Omit<WebhookDialogProps, 'opened'>;

/** Inside the modal, so that it starts afresh each time, and the secret is gone when it closes. */
function Steps(props: StepsProps) {
  const [made, setMade] = useState<NewWebhook | null>(null);
  if (made) return <WebhookSecret webhook={made} onClose={props.onClose} />;
  return <WebhookForm {...props} onMade={setMade} />;
}

const schema = webhookCreate.pick({ name: true, url: true });

function WebhookForm({
  webhook,
  workspaceId,
  onClose,
  onMade,
}: StepsProps & { onMade: (made: NewWebhook) => void }) {
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { name: webhook?.name ?? '', url: webhook?.url ?? '' },
    validate: schemaSentences(schema),
  });
  const onError = (refused: unknown) => setError(showFieldErrors(form, refused) ? null : refused);
  const create = trpc.webhooks.create.useMutation({
    meta: { changes: 'webhooks' },
    // The answer holds the secret.
    gcTime: 0,
    onSuccess: onMade,
    onError,
  });
  const update = trpc.webhooks.update.useMutation({
    meta: { changes: 'webhooks' },
    onSuccess: ({ name }) => {
      onClose();
      toast({ title: 'Webhook updated', description: name });
    },
    onError,
  });
  const send = useOnce(async (values: { name: string; url: string }) =>
    webhook
      ? await update.mutateAsync({ id: webhook.id, ...values })
      : await create.mutateAsync({ workspaceId, ...values }),
  );
  const submit = form.onSubmit(({ name, url }) => {
    setError(null);
    send({ name: name.trim(), url: url.trim() });
  });
  return (
    <DialogForm
      submitLabel={webhook ? 'Save changes' : 'Create webhook'}
      isPending={create.isPending || update.isPending}
      error={error}
      fallback="The webhook was not saved"
      onSubmit={submit}
      onCancel={onClose}
    >
      <NameField placeholder="On call" {...form.getInputProps('name')} />
      <TextInput
        label="URL"
        required
        type="url"
        description="Every alert of the workspace is sent there when it is raised and when it is resolved."
        placeholder="https://hooks.example.com/vectora"
        autoComplete="off"
        {...form.getInputProps('url')}
      />
      {webhook && <NewSecret webhook={webhook} onMade={onMade} />}
    </DialogForm>
  );
}

function NewSecret({ webhook, onMade }: { webhook: Webhook; onMade: (made: NewWebhook) => void }) {
  const rotate = trpc.webhooks.rotate.useMutation({
    meta: { changes: 'webhooks' },
    gcTime: 0,
    onSuccess: onMade,
    onError: () => toastError('Failed to make a new secret. Please try again.'),
  });
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed" flex="1 1 12rem">
        A new secret replaces the one that messages are signed with at once.
      </Text>
      <Button variant="default" loading={rotate.isPending} onClick={() => rotate.mutate({ id: webhook.id })}>
        New secret
      </Button>
    </Group>
  );
}
