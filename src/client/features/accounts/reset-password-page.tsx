import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useState } from 'react';
import { ButtonLink } from '#client/components/display/links.tsx';
import { SpinnerPage } from '#client/components/feedback/page-spinner.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { NewPasswordFields } from '#client/components/fields/new-password-fields.tsx';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { isNotFound } from '#client/lib/error-message.ts';
import { asIs } from '#client/lib/session-keeper.ts';
import { trpc } from '#client/lib/trpc.ts';
import { AccountForm } from './account-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { OtherWay } from './other-way.tsx';
import { passwordReset } from './schemas.ts';

/** Sets a new password by the link that brought its reader here. */
export function ResetPasswordPage({ token }: { token: string }) {
  const link = trpc.auth.resetLink.useQuery(
    { token },
    { retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  const [isDone, setIsDone] = useState(false);
  const [isGone, setIsGone] = useState(false);
  if (isDone) return <Done />;
  if (isGone || isNotFound(link.error)) return <Gone />;
  if (link.data)
    return (
      <ResetForm
        token={token}
        email={link.data.email}
        onDone={() => setIsDone(true)}
        onGone={() => setIsGone(true)}
      />
    );
  if (link.isFetching) return <SpinnerPage />;
  return (
    <Frame title="Set a new password" subtitle="Your link could not be looked at">
      <FormFailure error={link.error} />
      <Button onClick={() => link.refetch()}>Try again</Button>
    </Frame>
  );
}

function ResetForm(props: { token: string; email: string; onDone: () => void; onGone: () => void }) {
  const { token, email, onDone, onGone } = props;
  const utils = trpc.useUtils();
  const { mutateAsync: reset } = trpc.auth.resetPassword.useMutation({ meta: { changes: null } });
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { token, password: '', confirmPassword: '' },
    validate: laterSentences(passwordReset),
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      await reset(values);
    } catch (refused) {
      if (isNotFound(refused)) return onGone();
      if (!showFieldErrors(form, refused)) setError(refused);
      return;
    }
    onDone();
    // Whoever was signed in here with the former password is not any more.
    const now = await utils.client.auth.me.query(undefined, asIs).catch(() => null);
    if (now) utils.auth.me.setData(undefined, now);
  });
  return (
    <Frame
      title="Set a new password"
      subtitle="Wherever you are signed in, you will be signed out"
      footer={<OtherWay question="Remember your password?" to="/login" />}
    >
      <AccountForm
        onSubmit={submit}
        isSubmitting={form.submitting}
        error={error}
        fallback="The password was not set"
        submit="Set password"
      >
        <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
        <NewPasswordFields label="New password" form={form} />
      </AccountForm>
    </Frame>
  );
}

function Done() {
  return (
    <Frame title="Your password is set" subtitle="Sign in with it to go on">
      <ButtonLink to="/login" size="md" fullWidth>
        Sign in
      </ButtonLink>
    </Frame>
  );
}

function Gone() {
  return (
    <Frame title="This link is not good any more" subtitle="Your password is as it was before">
      <Text>
        A link sets a password once and within an hour, and no more once it was changed. Ask for another where
        this one came from.
      </Text>
      <ButtonLink to="/login" size="md" fullWidth>
        Sign in
      </ButtonLink>
    </Frame>
  );
}

function Frame(props: { title: string; subtitle: string; footer?: ReactNode; children: ReactNode }) {
  const { children, ...texts } = props;
  return (
    <AuthLayout {...texts}>
      <Stack>{children}</Stack>
    </AuthLayout>
  );
}
