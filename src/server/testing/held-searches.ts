import { watchedHost } from './watched-host.ts';

/** A host before which searches wait for as long as a test holds them. */
export function heldSearches() {
  let held: Promise<void> | null = null;
  let release = () => {};
  let arrived = 0;
  let onArrival = () => {};
  const { host } = watchedHost((name) => {
    if (name !== 'search' || held === null) return;
    arrived += 1;
    onArrival();
    return held;
  });
  return {
    host,
    /** How many have arrived since `hold`. */
    arrived: () => arrived,
    /** Answers `release`. */
    hold(): () => void {
      arrived = 0;
      held = new Promise((resolve) => {
        release = () => {
          held = null;
          resolve();
        };
      });
      return () => release();
    },
    /** Those that wait go on, and later ones do not wait. */
    release: () => release(),
    /** Starts so many; answers once they all wait. */
    async start<T>(count: number, search: () => T): Promise<T[]> {
      const expected = arrived + count;
      const all = new Promise<void>((resolve) => {
        onArrival = () => {
          if (arrived === expected) resolve();
        };
      });
      const searches = Array.from({ length: count }, search);
      await all;
      return searches;
    },
  };
}
