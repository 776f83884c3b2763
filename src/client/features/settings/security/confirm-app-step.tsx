import { Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { SecondFactorStart } from '#shared/second-factor.ts';
import { AppCodeField } from './app-code-field.tsx';
import classes from './confirm-app-step.module.css';
import { QrCode } from './qr-code.tsx';

interface ConfirmAppStepProps {
  started: SecondFactorStart;
  onConfirmed: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** The secret for the app, to scan or to type, and the code that shows that the app has it. */
export function ConfirmAppStep({ started, onConfirmed, onCancel }: ConfirmAppStepProps) {
  const utils = trpc.useUtils();
  // The answer holds the recovery codes.
  const confirm = trpc.secondFactor.confirm.useMutation({ meta: { changes: 'secondFactor' }, gcTime: 0 });
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { code: '' },
    validate: {
      code: (code) => (/^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? null : 'The code is six digits.'),
    },
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      const { recoveryCodes } = await confirm.mutateAsync(values);
      onConfirmed(recoveryCodes);
      toast({ title: 'Two-step sign-in is on', description: 'You are signed out everywhere else.' });
      await utils.sessions.invalidate();
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
    }
  });
  return (
    <DialogForm
      submitLabel="Turn on"
      isPending={form.submitting}
      error={error}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <div className={classes['columns']}>
        <QrCode text={started.uri} label="QR code for your authenticator app" />
        <Stack gap="xs">
          <Text size="sm">Scan this with your authenticator app, or type the key into it:</Text>
          <Group gap={4} wrap="nowrap">
            <code className={classes['secret']}>{started.secret.match(/.{1,4}/g)?.join(' ')}</code>
            <CopyButton value={started.secret} label="Copy key" description="Key copied to clipboard" />
          </Group>
        </Stack>
      </div>
      <AppCodeField form={form} label="Code that the app shows" isNext />
    </DialogForm>
  );
}
