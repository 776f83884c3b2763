import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';

/** A page whose data takes longer does without its adornments no longer than this. */
const waitMaxMs = 3_000;
/** Whoever does something wants what can be done here. */
const deeds = ['pointerdown', 'keydown', 'dragenter'] as const;

let shown: Promise<void> = Promise.resolve();

/** Resolves when the first page is painted with what it shows; at once where nobody holds it back. */
export const afterFirstPage = () => shown;

/**
 * From now on `afterFirstPage` waits until the first page is there and nothing is being fetched for it, until somebody does something,
 * or for three seconds.
 */
export function waitForFirstPage(router: Pick<AnyRouter, 'subscribe'>, queryClient: QueryClient): void {
  shown = new Promise((resolve) => {
    const ends: (() => void)[] = [];
    const end = () => {
      for (const one of ends) one();
      resolve();
    };
    for (const deed of deeds) {
      window.addEventListener(deed, end, { capture: true });
      ends.push(() => window.removeEventListener(deed, end, { capture: true }));
    }
    ends.push(
      router.subscribe('onRendered', () => {
        const timer = setTimeout(end, waitMaxMs);
        const check = () => void afterPaint().then(() => queryClient.isFetching() === 0 && end());
        ends.push(() => clearTimeout(timer), queryClient.getQueryCache().subscribe(check));
        check();
      }),
    );
  });
}

/** A frame is painted between a callback before it and a task after it. */
function afterPaint(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}
