import { createFileRoute, retainSearchParams } from '@tanstack/react-router';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { validateRedirectSearch } from '#client/lib/own-path.ts';
import { pageTitle } from '#client/lib/page-title.ts';

export const Route = createFileRoute('/')({
  validateSearch: validateRedirectSearch,
  // Who was sent here from a protected page gets there after signing in.
  search: { middlewares: [retainSearchParams(['redirect'])] },
  head: () => pageTitle(),
  component: lazyPage(() => import('#client/features/landing/landing-page.tsx'), 'LandingPage'),
});
