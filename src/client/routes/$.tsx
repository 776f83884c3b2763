import { createFileRoute } from '@tanstack/react-router';
import { NotFound } from '#client/components/feedback/not-found.tsx';
import { pageTitle } from '#client/lib/page-title.ts';

/** Every address that is no page. */
export const Route = createFileRoute('/$')({
  head: () => pageTitle('404 Page Not Found'),
  component: NotFound,
});
