import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';

/** So long after the last key the address is written. */
const addressPauseMs = 200;

interface Kept {
  typed: string;
  /** The address's query when `typed` was last reconciled with it. */
  from: string;
  /** What was put into the address from here and has not arrived there. */
  sent: string[];
}

/** What stands in the box: it runs ahead of the address, in which keys that come fast would be lost; a link or Back sets it anew. */
export function useTypedQuery(query: string, onQuery: (query: string) => void) {
  const [before, setKept] = useState<Kept>({ typed: query, from: query, sent: [] });
  const kept = reconciled(before, query);
  if (kept !== before) setKept(kept);
  const send = useDebouncedCallback((typed: string) => {
    setKept((earlier) => ({ ...earlier, sent: [...earlier.sent, typed] }));
    onQuery(typed);
  }, addressPauseMs);
  const type = (typed: string) => {
    setKept((earlier) => ({ ...earlier, typed }));
    send(typed);
  };
  return { typed: kept.typed, type };
}

function reconciled(kept: Kept, query: string): Kept {
  if (kept.from === query) return kept;
  const arrived = kept.sent.indexOf(query);
  const isOwn = arrived !== -1;
  return {
    typed: isOwn ? kept.typed : query,
    from: query,
    sent: isOwn ? kept.sent.slice(arrived + 1) : [],
  };
}
