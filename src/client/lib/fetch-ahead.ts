import type { RouterContext } from './router-context.ts';

/** Where a page is opened first, as its address says it: nothing of it has been checked. */
interface FirstPlace {
  /** In which the reader was before. */
  workspaceId: number;
  search: object;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /**
     * Asks for what a page will need while it is still being asked who is signed in, in the same request where it can; for who was here before.
     * Failures are the page's to tell.
     */
    ahead?: (context: RouterContext, place: FirstPlace) => void;
  }
}
