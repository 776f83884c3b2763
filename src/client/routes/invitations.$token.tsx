import { createFileRoute } from '@tanstack/react-router';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const InvitationPage = lazyPage(
  () => import('#client/features/accounts/invitation-page.tsx'),
  'InvitationPage',
);

export const Route = createFileRoute('/invitations/$token')({
  head: () => pageTitle('Invitation'),
  component: preloading(InvitationPage, Invitation),
});

function Invitation() {
  const { token } = Route.useParams();
  return <InvitationPage token={token} />;
}
