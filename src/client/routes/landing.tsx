import { createFileRoute } from '@tanstack/react-router';
import { pageTitle } from '#client/lib/page-title.ts';

/** The start page under its second address. */
export const Route = createFileRoute('/landing')({
  head: () => pageTitle(),
});
