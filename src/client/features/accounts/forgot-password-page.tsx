import { Button, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { forgottenPassword } from '#shared/accounts.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Has a link mailed that sets a new password. What it says is the same for accounts that exist and for those that do not. */
export function ForgotPasswordPage() {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const subtitle =
    askedFor === null ? 'A link that sets a new one comes by mail' : 'The link is good once and for an hour';
  return (
    <AuthLayout
      title={askedFor === null ? 'Forgot your password?' : 'Look into your mail'}
      subtitle={subtitle}
      footer={
        <>
          Remember your password?{' '}
          <AnchorLink to="/login" underline="always">
            Sign in
          </AnchorLink>
        </>
      }
    >
      {askedFor === null ? <AskForm onAsked={setAskedFor} /> : <Asked email={askedFor} />}
    </AuthLayout>
  );
}

function AskForm({ onAsked }: { onAsked: (email: string) => void }) {
  const { mutateAsync: ask } = trpc.auth.forgotPassword.useMutation({ meta: { changes: null } });
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { email: '' },
    validate: schemaResolver(forgottenPassword, { sync: true }),
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      await ask(values);
    } catch (refused) {
      return setError(refused);
    }
    onAsked(values.email);
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {error !== null && <FormFailure error={error} fallback="The link was not asked for" />}
        <TextInput
          label="Email"
          type="email"
          required
          withAsterisk={false}
          autoComplete="username"
          inputMode="email"
          {...form.getInputProps('email')}
        />
        <Button type="submit" size="md" fullWidth loading={form.submitting}>
          Send link
        </Button>
      </Stack>
    </form>
  );
}

function Asked({ email }: { email: string }) {
  return (
    <Stack role="status">
      <Text>
        If <strong>{email}</strong> has an account here, a letter with the link is on its way.
      </Text>
      <Text c="dimmed">
        Nothing after some minutes? Look among the spam, or ask whoever runs this server for a link.
      </Text>
    </Stack>
  );
}
