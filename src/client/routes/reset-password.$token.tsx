import { createFileRoute } from '@tanstack/react-router';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const ResetPasswordPage = lazyPage(
  () => import('#client/features/accounts/reset-password-page.tsx'),
  'ResetPasswordPage',
);

export const Route = createFileRoute('/reset-password/$token')({
  head: () => pageTitle('Set a new password'),
  component: preloading(ResetPasswordPage, ResetPassword),
});

function ResetPassword() {
  const { token } = Route.useParams();
  return <ResetPasswordPage token={token} />;
}
