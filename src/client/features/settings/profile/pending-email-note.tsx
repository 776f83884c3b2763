import { Alert, Button, Group, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { mailIcon } from '#client/components/display/icon-shapes.gen.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';

/** An email that is not the account's before its link is opened. `email`: what it is until then. */
export function PendingEmailNote({ email }: { email: string }) {
  const { data: pending } = trpc.account.pendingEmail.useQuery();
  const cancel = trpc.account.cancelEmail.useMutation({
    meta: { changes: 'account' },
    onSuccess: () => toast({ title: 'Email kept', description: `Your email stays ${email}.` }),
    onError: (error) =>
      toast({ title: 'The change was not cancelled', description: errorMessage(error), kind: 'error' }),
  });
  if (!pending) return null;
  return (
    <Alert color="blue" icon={<Icon shape={mailIcon} />} role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm" maw="24rem">
          Open the link in the letter to <strong>{pending.email}</strong> to change your email. It is good
          until {formatDateTime(pending.expiresAt)}.
        </Text>
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the change
        </Button>
      </Group>
    </Alert>
  );
}
