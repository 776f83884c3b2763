import { Center, Loader } from '@mantine/core';

/** Content that waits, inside a page. */
export function PageSpinner() {
  return (
    <Center mih="60dvh" role="status" aria-label="Loading">
      <Loader />
    </Center>
  );
}

/** A whole page that waits: while the session is checked, and between two pages. */
export function SpinnerPage() {
  return (
    <main id="main" tabIndex={-1}>
      <PageSpinner />
    </main>
  );
}
