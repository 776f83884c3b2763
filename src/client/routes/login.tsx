import { createFileRoute, retainSearchParams } from '@tanstack/react-router';
import { validateRedirectSearch } from '#client/lib/own-path.ts';
import { pageTitle } from '#client/lib/page-title.ts';

export const Route = createFileRoute('/login')({
  validateSearch: validateRedirectSearch,
  // The page that was asked for is remembered on the way from the start page and between login and registration.
  search: { middlewares: [retainSearchParams(['redirect'])] },
  head: () => pageTitle('Sign in'),
});
