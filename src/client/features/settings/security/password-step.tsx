import { PasswordInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { SecondFactorStart } from '#shared/second-factor.ts';

interface PasswordStepProps {
  onStarted: (started: SecondFactorStart) => void;
  onCancel: () => void;
}

/** Whoever finds a browser signed in sets nothing up. */
export function PasswordStep({ onStarted, onCancel }: PasswordStepProps) {
  // The answer holds the secret.
  const start = trpc.secondFactor.start.useMutation({ meta: { changes: null }, gcTime: 0 });
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { password: '' },
    validate: { password: (value) => (value === '' ? 'Password is required.' : null) },
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      onStarted(await start.mutateAsync(values));
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
    }
  });
  return (
    <DialogForm
      submitLabel="Continue"
      isPending={form.submitting}
      error={error}
      onSubmit={submit}
      onCancel={onCancel}
    >
      <Text size="sm" c="dimmed">
        You need an authenticator app: Google Authenticator, 1Password, Aegis or any other that shows
        time-based codes.
      </Text>
      <PasswordInput
        label="Your password"
        required
        data-autofocus
        autoComplete="current-password"
        visibilityToggleButtonProps={passwordToggle}
        {...form.getInputProps('password')}
      />
    </DialogForm>
  );
}
