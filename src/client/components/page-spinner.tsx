import { Center, Loader } from '@mantine/core';

/** A whole page that waits: while the session is checked, and while a page's code is fetched. */
export function PageSpinner() {
  return (
    <Center mih="60dvh" role="status" aria-label="Loading">
      <Loader />
    </Center>
  );
}
