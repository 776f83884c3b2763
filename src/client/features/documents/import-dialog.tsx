import { Skeleton } from '@mantine/core';
import { type ComponentProps, lazy, Suspense } from 'react';

const waiting = <Skeleton height="14rem" radius="md" aria-hidden="true" />;

/** Fetched when they are opened first. */
const ImportForm = lazy(async () => ({ default: (await import('./import-form.tsx')).ImportForm }));

const MendRows = lazy(async () => ({ default: (await import('./mend-rows.tsx')).MendRows }));

export function ImportDialog(props: ComponentProps<typeof ImportForm>) {
  return (
    <Suspense fallback={waiting}>
      <ImportForm {...props} />
    </Suspense>
  );
}

export function MendDialog(props: ComponentProps<typeof MendRows>) {
  return (
    <Suspense fallback={waiting}>
      <MendRows {...props} />
    </Suspense>
  );
}
