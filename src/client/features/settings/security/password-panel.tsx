import { PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { Panel } from '#client/components/display/panel.tsx';
import { NewPasswordFields } from '#client/components/fields/new-password-fields.tsx';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import { SettingsForm } from '../settings-form.tsx';

const empty = { currentPassword: '', password: '', confirmPassword: '' };

export function PasswordPanel({ email }: { email: string }) {
  const change = trpc.auth.changePassword.useMutation({ meta: { changes: 'sessions' } });
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: empty,
    validate: laterSentences(async () => (await import('#shared/accounts.ts')).passwordChange),
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      await change.mutateAsync(values);
      form.reset();
      toast({ title: 'Password changed', description: 'You are signed out everywhere else.' });
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
    }
  });
  return (
    <Panel title="Password">
      <SettingsForm
        submitLabel="Change Password"
        isPending={form.submitting}
        isReady={form.isDirty()}
        error={error}
        fallback="The password was not changed"
        onSubmit={submit}
      >
        {/* Tells a password manager whose password it is. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          required
          autoComplete="current-password"
          visibilityToggleButtonProps={passwordToggle}
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordFields label="New password" form={form} />
      </SettingsForm>
    </Panel>
  );
}
