import { createRootRouteWithContext, HeadContent, Outlet } from '@tanstack/react-router';
import { NotFound } from '../components/not-found.tsx';
import { SkipLink } from '../components/skip-link.tsx';
import { AuthProvider } from '../lib/auth-provider.tsx';
import { pageTitle } from '../lib/page-title.ts';
import type { RouterContext } from '../lib/router-context.ts';
import { useFocusHeading } from '../lib/use-focus-heading.ts';

export const Route = createRootRouteWithContext<RouterContext>()({
  head: () => pageTitle(),
  component: Root,
  notFoundComponent: NotFound,
});

function Root() {
  useFocusHeading();
  return (
    <>
      <HeadContent />
      <SkipLink />
      <AuthProvider>
        <Outlet />
      </AuthProvider>
    </>
  );
}
