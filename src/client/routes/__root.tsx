import { createRootRouteWithContext, HeadContent, Outlet } from '@tanstack/react-router';
import { NotFound } from '#client/components/feedback/not-found.tsx';
import { ProgressLine } from '#client/components/shell/progress-line.tsx';
import { SkipLink } from '#client/components/shell/skip-link.tsx';
import { AuthProvider } from '#client/lib/auth-provider.tsx';
import { pageTitle } from '#client/lib/page-title.ts';
import type { RouterContext } from '#client/lib/router-context.ts';
import { useFocusHeading } from '#client/lib/use-focus-heading.ts';
import { useKeptFocus } from '#client/lib/use-kept-focus.ts';

export const Route = createRootRouteWithContext<RouterContext>()({
  head: () => pageTitle(),
  component: Root,
  notFoundComponent: NotFound,
});

function Root() {
  useFocusHeading();
  useKeptFocus();
  return (
    <>
      <HeadContent />
      <SkipLink />
      <ProgressLine />
      <AuthProvider>
        <Outlet />
      </AuthProvider>
    </>
  );
}
