import { createFileRoute } from '@tanstack/react-router';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const ConfirmEmailPage = lazyPage(
  () => import('#client/features/accounts/confirm-email-page.tsx'),
  'ConfirmEmailPage',
);

export const Route = createFileRoute('/confirm-email/$token')({
  head: () => pageTitle('Confirm your email'),
  component: preloading(ConfirmEmailPage, ConfirmEmail),
});

function ConfirmEmail() {
  const { token } = Route.useParams();
  return <ConfirmEmailPage token={token} />;
}
