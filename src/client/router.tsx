import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { PageError } from './components/feedback/page-error.tsx';
import { PageSpinner } from './components/feedback/page-spinner.tsx';
import type { RouterContext } from './lib/router-context.ts';
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

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
