import { useEffect, useLayoutEffect, useRef } from 'react';

/** How far from its end the page counts as read to its end. */
const slackPx = 120;

/**
 * Keeps the end of the page in view while it grows, for whoever has read to there. `opened`: of what is looked at its end is shown first. `length`: what
 * grows. `asked`: whoever asks something wants to see what comes.
 */
export function useFollowEnd({
  opened,
  length,
  asked,
}: {
  opened: string;
  length: number;
  asked: string | null;
}): void {
  const isAtEnd = useRef(true);
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      isAtEnd.current = scrollHeight - clientHeight - scrollTop < slackPx;
    };
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is named is what is followed
  useLayoutEffect(() => {
    isAtEnd.current = true;
  }, [opened, asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useLayoutEffect(() => {
    if (length > 0 && isAtEnd.current)
      window.scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' });
  }, [opened, asked, length]);
}
