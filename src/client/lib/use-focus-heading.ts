import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The same screen goes on under another path: the reader stays where they type. */
    keepsFocus?: boolean;
  }
}

/** After a navigation the focus moves to the page's heading, so that a screen reader hears where it is and Tab goes on from there. */
export function useFocusHeading(): void {
  const router = useRouter();
  useEffect(() => {
    let stopWaiting = () => {};
    const unsubscribe = router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
      if (!fromLocation || !pathChanged || toLocation.state.keepsFocus) return;
      stopWaiting();
      stopWaiting = focusHeading();
    });
    return () => {
      stopWaiting();
      unsubscribe();
    };
  }, [router]);
}

/** A page whose code or data is still on its way has no heading yet: `main` holds the focus until there is one. */
function focusHeading(): () => void {
  const heading = () => document.querySelector<HTMLElement>('main h1[tabindex]');
  const take = (target: HTMLElement) => target.focus({ preventScroll: true });
  const found = heading();
  const main = document.querySelector<HTMLElement>('main');
  if (found) take(found);
  if (found || !main) return () => {};
  take(main);
  const observer = new MutationObserver(() => {
    const arrived = heading();
    if (arrived && document.activeElement === main) take(arrived);
    if (arrived || document.activeElement !== main) observer.disconnect();
  });
  observer.observe(main, { childList: true, subtree: true });
  return () => observer.disconnect();
}
