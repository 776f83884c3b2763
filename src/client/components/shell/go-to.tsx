import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SpinnerPage } from '../feedback/page-spinner.tsx';

/** Replaces this page by a path of our own (`lib/own-path.ts` checks foreign ones), with its search and hash. */
export function GoTo({ href }: { href: string }) {
  const { history } = useRouter();
  useEffect(() => history.replace(href), [history, href]);
  return <SpinnerPage />;
}
