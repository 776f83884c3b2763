import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { asIs, keepSessionBy } from './session-keeper.ts';
import { trpc } from './trpc.ts';

interface LapsedSession {
  /** The server no longer knows the session, and requests wait for the reader to sign in again. */
  isLapsed: boolean;
  /** Lets what waits be sent again, or fail. */
  release(isBack: boolean): void;
}

/** Holds what is refused in the middle of work until the one who was signed in is back, here or in another tab. */
export function useSessionKeeper(): LapsedSession {
  const [isLapsed, setLapsed] = useState(false);
  const waiting = useRef(new Set<(isBack: boolean) => void>());
  const releases = useRef(0);
  const utils = trpc.useUtils();

  useEffect(() => {
    const wait = () => new Promise<boolean>((resolve) => waiting.current.add(resolve));
    return keepSessionBy(async () => {
      const before = utils.auth.me.getData()?.user;
      if (!before) return null;
      if (waiting.current.size > 0) return wait();
      // Another tab may have signed in meanwhile; where nobody answers, the refusal stands.
      const asked = releases.current;
      const now = await utils.client.auth.me.query(undefined, asIs).catch(() => null);
      if (now?.user) return now.user.id === before.id || null;
      const known = utils.auth.me.getData()?.user;
      if (!known) return false;
      // The answer is older than the sign-in, which has ended meanwhile.
      if (releases.current !== asked) return known.id === before.id || null;
      setLapsed(true);
      return wait();
    });
  }, [utils]);
  useEscapeStays(isLapsed);

  const release = useCallback((isBack: boolean) => {
    releases.current += 1;
    for (const resolve of waiting.current) resolve(isBack);
    waiting.current.clear();
    setLapsed(false);
  }, []);
  return useMemo(() => ({ isLapsed, release }), [isLapsed, release]);
}

/** While the sign-in lies over a dialog, Escape must not close the one below: each listens at the window. */
function useEscapeStays(isLapsed: boolean): void {
  const isHeld = useRef(isLapsed);
  useEffect(() => {
    isHeld.current = isLapsed;
  }, [isLapsed]);
  useEffect(() => {
    // Registered with the page, before any dialog is.
    const hold = (event: KeyboardEvent) => {
      if (isHeld.current && event.key === 'Escape') event.stopImmediatePropagation();
    };
    window.addEventListener('keydown', hold, { capture: true });
    return () => window.removeEventListener('keydown', hold, { capture: true });
  }, []);
}
