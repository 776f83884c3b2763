import { Button, Stack, Text } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { ButtonLink } from '#client/components/display/links.tsx';
import { SpinnerPage } from '#client/components/feedback/page-spinner.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { asRole, roleWords } from '#client/lib/role-words.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { InvitationLink, InvitationState } from '#shared/invitations.ts';
import { AuthLayout } from './auth-layout.tsx';

/** For those who are signed in: it brings what their console is made of. */
const AcceptInvitation = lazy(async () => ({
  default: (await import('./accept-invitation.tsx')).AcceptInvitation,
}));

/** The console's own formats come with the console. */
const endFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Who invites to what, and the way in. */
export function InvitationPage({ token }: { token: string }) {
  const { isAuthenticated } = useAuth();
  const link = trpc.invitations.link.useQuery({ token }, { retry: false, gcTime: 0 });
  if (isNotFound(link.error)) return <Ended why={gone} />;
  if (link.data) {
    const { state, workspace } = link.data;
    if (state !== 'open' || workspace === null) return <Ended why={endings[state]} />;
    return (
      <Frame title={`Join ${workspace.name}`} subtitle={subtitleOf(link.data)}>
        <Text size="sm">
          {roleWords[link.data.role].label}: {lowerFirst(roleWords[link.data.role].may)}. The invitation is
          good once, until {endFormat.format(new Date(link.data.expiresAt))}.
        </Text>
        {isAuthenticated ? (
          <Suspense
            fallback={
              <Button size="md" fullWidth loading>
                Accept invitation
              </Button>
            }
          >
            <AcceptInvitation token={token} workspace={workspace} email={link.data.email} />
          </Suspense>
        ) : (
          <WaysIn token={token} email={link.data.email} />
        )}
      </Frame>
    );
  }
  if (link.isFetching) return <SpinnerPage />;
  return (
    <Frame title="Invitation" subtitle="Your link could not be looked at">
      <FormFailure error={link.error} />
      <Button onClick={() => link.refetch()}>Try again</Button>
    </Frame>
  );
}

/** "Searches and reads" → "searches and reads" */
function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}

function subtitleOf({ invitedBy, role }: InvitationLink): string {
  return `${invitedBy ?? 'Somebody'} invites you ${asRole(role)}`;
}

const gone = 'There is no such invitation: its link may be cut off, or its workspace is deleted.';
const endings: Record<InvitationState, string> = {
  open: gone,
  accepted:
    'It was accepted already, and each is good once. If that was you, the workspace is yours to open.',
  revoked: 'It was revoked, or another one took its place. Ask whoever invited you.',
  expired: 'It has expired. Ask whoever invited you for another one.',
};

function Ended({ why }: { why: string }) {
  return (
    <Frame title="This invitation is not good any more" subtitle="You joined nothing by it just now">
      <Text>{why}</Text>
      <ButtonLink to="/dashboard" size="md" fullWidth>
        Go to your dashboard
      </ButtonLink>
    </Frame>
  );
}

/** Both ways lead back here. */
function WaysIn({ token, email }: { token: string; email: string | null }) {
  const search = { redirect: `/invitations/${token}` };
  return (
    <>
      {email !== null && (
        <Text size="sm">
          It is for <strong>{email}</strong>: sign in or up with this address.
        </Text>
      )}
      <ButtonLink to="/login" search={search} size="md" fullWidth>
        Sign in to accept
      </ButtonLink>
      <ButtonLink to="/register" search={search} size="md" fullWidth variant="default">
        Create an account
      </ButtonLink>
    </>
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
