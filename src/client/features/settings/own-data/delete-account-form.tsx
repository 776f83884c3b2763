import { Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { User } from '#shared/accounts.ts';
import { CodeInput } from '../code-input.tsx';

/** By the username typed, the password and, where one is asked for on signing in, a code. */
export function DeleteAccountForm({ user, onClose }: { user: User; onClose: () => void }) {
  const { leave } = useAuth();
  const factor = trpc.secondFactor.get.useQuery();
  const remove = trpc.account.delete.useMutation({ meta: { changes: null } });
  const [error, setError] = useState<unknown>(null);
  const needsCode = factor.data?.isOn ?? false;
  const form = useForm({
    initialValues: { username: '', password: '', code: '' },
    validate: {
      password: (value) => (value === '' ? 'Password is required.' : null),
      code: (value) => (needsCode && value.trim() === '' ? 'Code is required.' : null),
    },
  });
  const submit = form.onSubmit(async ({ password, code }) => {
    setError(null);
    try {
      await remove.mutateAsync({ password, ...(needsCode && { code }) });
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
      return;
    }
    await leave({ title: 'Account deleted', description: 'Your account and what was yours alone are gone.' });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {error !== null && <FormFailure error={error} fallback="Your account was not deleted" />}
        <Text size="sm">
          This deletes the account <strong dir="auto">{user.email}</strong>, its conversations, and each
          workspace that nobody else is in, with its projects, collections, documents and API keys. There is
          no Undo.
        </Text>
        <TextInput
          label={
            <>
              Type your username <Code>{user.username}</Code> to confirm
            </>
          }
          data-autofocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('username')}
        />
        <PasswordInput
          label="Your password"
          required
          autoComplete="current-password"
          visibilityToggleButtonProps={passwordToggle}
          {...form.getInputProps('password')}
        />
        {needsCode && <CodeInput {...form.getInputProps('code')} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color="red"
            disabled={form.values.username !== user.username || factor.isPending}
            loading={form.submitting}
          >
            Delete account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
