import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/** So long after the last key the address is written, which asks. */
const pauseMs = 250;

/** The filter's box runs ahead of the address; a link, Back or Forward sets it anew. */
export function useTypedFilter(
  filter: string,
  onSettled: (filter: string) => void,
): { typed: string; type: (filter: string) => void } {
  const [kept, setKept] = useState({ typed: filter, from: filter, sent: filter });
  if (kept.from !== filter) {
    // What was sent from here arrives; whatever else arrives is somebody's step.
    const typed = filter === kept.sent ? kept.typed : filter;
    setKept({ typed, from: filter, sent: filter });
  }
  const settle = useDebouncedCallback((next: string) => {
    // A step Back in the pause has set the box anew, or what was typed stands in the address already: written again it would undo steps since.
    if (next !== kept.typed || next === kept.sent) return;
    setKept((earlier) => ({ ...earlier, sent: next }));
    onSettled(next);
  }, pauseMs);
  return {
    typed: kept.typed,
    type: (next) => {
      setKept((earlier) => ({ ...earlier, typed: next }));
      settle(next);
    },
  };
}
