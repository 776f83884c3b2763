import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ButtonLink } from '#client/components/display/links.tsx';
import { SpinnerPage } from '#client/components/feedback/page-spinner.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useOnce } from '#client/lib/use-once.ts';
import { AuthLayout } from './auth-layout.tsx';

/** Makes an address the account's by the link that was sent there; by a click, since letters are opened by programs too. */
export function ConfirmEmailPage({ token }: { token: string }) {
  const link = trpc.account.emailLink.useQuery(
    { token },
    { retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  );
  const confirm = trpc.account.confirmEmail.useMutation({ meta: { changes: 'account' } });
  const send = useOnce(confirm.mutateAsync);
  if (confirm.data) return <Confirmed email={confirm.data.email} />;
  if (isNotFound(link.error) || isNotFound(confirm.error)) return <Gone />;
  if (link.data)
    return (
      <Frame title="Confirm your email" subtitle={`You sign in with ${link.data.email} from then on`}>
        {confirm.error && <FormFailure error={confirm.error} fallback="The email was not confirmed" />}
        <Button size="md" fullWidth loading={confirm.isPending} onClick={() => send({ token })}>
          Confirm this email
        </Button>
      </Frame>
    );
  if (link.isFetching) return <SpinnerPage />;
  return (
    <Frame title="Confirm your email" subtitle="Your link could not be looked at">
      <FormFailure error={link.error} />
      <Button onClick={() => link.refetch()}>Try again</Button>
    </Frame>
  );
}

function Confirmed({ email }: { email: string }) {
  return (
    <Frame title="Your email is confirmed" subtitle={`Sign in with ${email} from now on`}>
      <ButtonLink to="/settings" size="md" fullWidth>
        Go to your settings
      </ButtonLink>
    </Frame>
  );
}

function Gone() {
  return (
    <Frame title="This link is not good any more" subtitle="Your email is as it was before">
      <Text>
        A link confirms an email once and within a day, and no more once there is a newer one. Change the
        email in your settings to have another one sent.
      </Text>
      <ButtonLink to="/settings" size="md" fullWidth>
        Go to your settings
      </ButtonLink>
    </Frame>
  );
}

function Frame(props: { title: string; subtitle: string; children: ReactNode }) {
  const { children, ...texts } = props;
  return (
    <AuthLayout {...texts}>
      <Stack>{children}</Stack>
    </AuthLayout>
  );
}
