import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { trpc } from '#client/lib/trpc.ts';
import { AccountForm } from './account-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { KnownEmailField } from './known-email-field.tsx';
import { OtherWay } from './other-way.tsx';
import { forgottenPassword } from './schemas.ts';

/** Has a link mailed that sets a new password. What it says is the same for accounts that exist and for those that do not. */
export function ForgotPasswordPage() {
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const subtitle =
    askedFor === null ? 'A link that sets a new one comes by mail' : 'The link is good once and for an hour';
  return (
    <AuthLayout
      title={askedFor === null ? 'Forgot your password?' : 'Look into your mail'}
      subtitle={subtitle}
      footer={<OtherWay question="Remember your password?" to="/login" />}
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
    validate: laterSentences(forgottenPassword),
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
    <AccountForm
      onSubmit={submit}
      isSubmitting={form.submitting}
      error={error}
      fallback="The link was not asked for"
      submit="Send link"
    >
      <KnownEmailField form={form} />
    </AccountForm>
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
