import { createLazyFileRoute } from '@tanstack/react-router';
import { GoTo } from '#client/components/shell/go-to.tsx';
import { RegisterPage } from '#client/features/accounts/register-page.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';

export const Route = createLazyFileRoute('/register')({ component: Register });

/** Whoever is signed in goes on: to the page asked for, else to the dashboard. */
function Register() {
  const { isAuthenticated } = useAuth();
  const { redirect } = Route.useSearch();
  if (!isAuthenticated) return <RegisterPage />;
  return <GoTo href={redirect ?? '/dashboard'} />;
}
