import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '#client/components/feedback/confirm-dialog.tsx';
import { errorMessage } from '#client/lib/error-message.ts';
import { formatDateTime } from '#client/lib/format.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import classes from './api-key-row.module.css';
import { livingFormer } from './living-former.ts';

/** What the key was before it was rotated: until when that works, and an end to it before. */
export function FormerValue({ apiKey }: { apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false);
  const { id, name } = apiKey;
  const end = trpc.apiKeys.update.useMutation({
    meta: { changes: 'apiKeys' },
    onSuccess: () => {
      setAsking(false);
      toast({ title: 'Former value ended', description: `Only the new value of ${name} works now.` });
    },
    onError: (error) =>
      toast({ title: 'The former value was not ended', description: errorMessage(error), kind: 'error' }),
  });
  const former = livingFormer(apiKey);
  if (!former) return null;
  return (
    <div className={classes['former']}>
      <Text size="xs" c="dimmed">
        The former value, <span className={classes['end']}>…{former.lastFour}</span>, works until{' '}
        {formatDateTime(former.until)}.
      </Text>
      <May atLeast="admin">
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`End it now: the former value of ${name}`}
          onClick={() => setAsking(true)}
        >
          End it now
        </Button>
      </May>
      <ConfirmDialog
        opened={isAsking}
        title="End the former value"
        confirmLabel="End it now"
        isPending={end.isPending}
        onClose={() => setAsking(false)}
        onConfirm={() => end.mutate({ id, former: null })}
      >
        Calls with the value of <strong>{name}</strong> that ends in {former.lastFour} are refused from now
        on. This cannot be undone.
      </ConfirmDialog>
    </div>
  );
}
