import { createFileRoute } from '@tanstack/react-router';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const ForgotPasswordPage = lazyPage(
  () => import('#client/features/accounts/forgot-password-page.tsx'),
  'ForgotPasswordPage',
);

export const Route = createFileRoute('/forgot-password')({
  head: () => pageTitle('Forgot your password?'),
  component: preloading(ForgotPasswordPage, () => <ForgotPasswordPage />),
});
