import { lazy } from 'react';
import { afterFirstPage } from './after-first-page.ts';
import { onReturn } from './reachability.ts';

/**
 * A part of a page that is fetched after the page is painted. The page lives on without one that cannot be fetched, which is asked for
 * again.
 */
export const lazyPart: typeof lazy = (load) => lazy(() => untilFetched(load));

/** One that the first page does without until it is painted: what it is there for shows sooner. */
export const laterPart: typeof lazy = (load) => lazy(() => afterFirstPage().then(() => untilFetched(load)));

const pausesMs = { first: 2_000, max: 60_000 };

async function untilFetched<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let pauseMs = pausesMs.first; ; pauseMs = Math.min(pauseMs * 2, pausesMs.max)) {
    try {
      return await load();
    } catch {
      // What is wrong with the network is said by what the page itself asks for.
      await pauseOrReturn(pauseMs);
    }
  }
}

function pauseOrReturn(pauseMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    const forget = onReturn(end);
  });
}
