import { createFileRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageTitle } from '#client/lib/page-title.ts';

/** The start page under its second address. */
export const Route = createFileRoute('/landing')({
  head: () => pageTitle(),
  component: lazyRouteComponent(() => import('#client/features/landing/landing-page.tsx'), 'LandingPage'),
});
