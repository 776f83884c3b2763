import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** After a navigation the focus moves to the page's heading, so that a screen reader hears where it is and Tab goes on from there. */
export function useFocusHeading(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const heading = document.querySelector<HTMLElement>('main h1[tabindex]');
        (heading ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
      }),
    [router],
  );
}
