import { type ReactNode, useEffect, useRef } from 'react';

/** Fields of which some text may be marked: the first mark is brought into view as they appear. */
export function ScrolledToMark({ children }: { children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector('mark')?.scrollIntoView({ block: 'center', behavior: 'instant' });
  }, []);
  return <div ref={root}>{children}</div>;
}
