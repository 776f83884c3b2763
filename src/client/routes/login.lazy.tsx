import { createLazyFileRoute } from '@tanstack/react-router';
import { GoTo } from '#client/components/shell/go-to.tsx';
import { LoginPage } from '#client/features/accounts/login-page.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';

export const Route = createLazyFileRoute('/login')({ component: Login });

/** Whoever is signed in goes on: to the page asked for, else to the dashboard. */
function Login() {
  const { isAuthenticated } = useAuth();
  const { redirect } = Route.useSearch();
  if (!isAuthenticated) return <LoginPage />;
  return <GoTo href={redirect ?? '/dashboard'} />;
}
