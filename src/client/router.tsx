import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { PageError } from './components/feedback/page-error.tsx';
import { PageSpinner } from './components/feedback/page-spinner.tsx';
import type {} from './lib/fetch-ahead.ts';
import type { RouterContext } from './lib/router-context.ts';
import { readSelection } from './lib/selection.ts';
import { routeTree } from './route-tree.gen.ts';

/** Without a `history` it is the browser's. */
export function createConsoleRouter(context: RouterContext, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context,
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    // The query cache is the only cache.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: PageSpinner,
    defaultErrorComponent: PageError,
    scrollRestoration: true,
  });
}

/**
 * For who was here before, code and data of the page come while the server says who is signed in; for all others they may not be shown. Code that
 * cannot be fetched is the page's to complain about.
 */
export function fetchPageAhead(router: ReturnType<typeof createConsoleRouter>): void {
  const { workspaceId } = readSelection();
  if (workspaceId === null) return;
  const { pathname, search } = router.latestLocation;
  const [matched] = router.getMatchedRoutes(pathname);
  for (const route of matched) {
    // First, as it is small: what it asks for takes its time.
    route.options.staticData?.ahead?.(router.options.context, { workspaceId, search });
    router.loadRouteChunk(route)?.catch(() => {});
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
