import { createFileRoute } from '@tanstack/react-router';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';

/** The start page under its second address. */
export const Route = createFileRoute('/landing')({
  head: () => pageTitle(),
  component: lazyPage(() => import('#client/features/landing/landing-page.tsx'), 'LandingPage'),
});
