import { createFileRoute, retainSearchParams } from '@tanstack/react-router';
import { GoTo } from '#client/components/shell/go-to.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { validateRedirectSearch } from '#client/lib/own-path.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';

const RegisterPage = lazyPage(() => import('#client/features/accounts/register-page.tsx'), 'RegisterPage');

export const Route = createFileRoute('/register')({
  validateSearch: validateRedirectSearch,
  // The page that was asked for is remembered on the way from the start page and between login and registration.
  search: { middlewares: [retainSearchParams(['redirect'])] },
  head: () => pageTitle('Create your account'),
  component: preloading(RegisterPage, Register),
});

/** Whoever is signed in goes on: to the page asked for, else to the dashboard. */
function Register() {
  const { isAuthenticated } = useAuth();
  const { redirect } = Route.useSearch();
  if (!isAuthenticated) return <RegisterPage />;
  return <GoTo href={redirect ?? '/dashboard'} />;
}
