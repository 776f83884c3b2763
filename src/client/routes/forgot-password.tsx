import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const ForgotPasswordPage = lazyRouteComponent(
  () => import('#client/features/accounts/forgot-password-page.tsx'),
  'ForgotPasswordPage',
);

export const Route = createFileRoute('/forgot-password')({
  head: () => pageTitle('Forgot your password?'),
  component: preloading(ForgotPasswordPage, () => <ForgotPasswordPage />),
});
