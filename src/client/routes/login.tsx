import { createFileRoute, retainSearchParams } from '@tanstack/react-router';
import { GoTo } from '#client/components/shell/go-to.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { validateRedirectSearch } from '#client/lib/own-path.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const LoginPage = lazyPage(() => import('#client/features/accounts/login-page.tsx'), 'LoginPage');

export const Route = createFileRoute('/login')({
  validateSearch: validateRedirectSearch,
  // The page that was asked for is remembered on the way from the start page and between login and registration.
  search: { middlewares: [retainSearchParams(['redirect'])] },
  head: () => pageTitle('Sign in'),
  loader: ({ context }) => context.trpc.auth.signInOptions.prefetch(),
  component: preloading(LoginPage, Login),
});

/** Whoever is signed in goes on: to the page asked for, else to the dashboard. */
function Login() {
  const { isAuthenticated } = useAuth();
  const { redirect } = Route.useSearch();
  if (!isAuthenticated) return <LoginPage />;
  return <GoTo href={redirect ?? '/dashboard'} />;
}
