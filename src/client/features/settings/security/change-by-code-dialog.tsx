import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { AppCodeField } from './app-code-field.tsx';
import { RecoveryCodesStep } from './recovery-codes-step.tsx';

interface ChangeByCodeDialogProps {
  change: Change;
  opened: boolean;
  onClose: () => void;
}

type Change = 'renew' | 'turn off';

const words = {
  renew: {
    title: 'New recovery codes',
    text: 'The ones you have are not good any more then.',
    submit: 'Make new codes',
  },
  'turn off': {
    title: 'Turn off two-step sign-in',
    text: 'Your password alone signs in then, and your recovery codes are not good any more.',
    submit: 'Turn off',
  },
} as const;

/** What takes the password and a code. Codes that are shown only once are not closed by accident. */
export function ChangeByCodeDialog({ change, opened, onClose }: ChangeByCodeDialogProps) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={words[change].title}
      closeOnEscape={codes === null}
      withCloseButton={codes === null}
      onExitTransitionEnd={() => setCodes(null)}
    >
      {codes ? (
        <RecoveryCodesStep codes={codes} onDone={onClose} />
      ) : (
        <CodeForm change={change} onCodes={setCodes} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface CodeFormProps {
  change: Change;
  onCodes: (codes: string[]) => void;
  onClose: () => void;
}

function CodeForm({ change, onCodes, onClose }: CodeFormProps) {
  const options = { meta: { changes: 'secondFactor' as const }, gcTime: 0 };
  const renew = trpc.secondFactor.renewCodes.useMutation(options);
  const disable = trpc.secondFactor.disable.useMutation(options);
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { password: '', code: '' },
    validate: {
      password: (value) => (value === '' ? 'Password is required.' : null),
      code: (value) => (value.trim() === '' ? 'Code is required.' : null),
    },
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      if (change === 'renew') return onCodes((await renew.mutateAsync(values)).recoveryCodes);
      await disable.mutateAsync(values);
      onClose();
      toast({ title: 'Two-step sign-in is off', description: 'Your password alone signs you in.' });
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
    }
  });
  return (
    <DialogForm
      submitLabel={words[change].submit}
      isPending={form.submitting}
      error={error}
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {words[change].text}
      </Text>
      <PasswordInput
        label="Your password"
        required
        data-autofocus
        autoComplete="current-password"
        visibilityToggleButtonProps={passwordToggle}
        {...form.getInputProps('password')}
      />
      <AppCodeField form={form} label="Code" takesRecoveryCodes />
    </DialogForm>
  );
}
