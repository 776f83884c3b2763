import { useDebouncedCallback, useDebouncedValue } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { ChangeSearch, SearchState } from './search-state.ts';

/** What is typed or dragged: it is searched for at once and becomes the address when the reader pauses. */
export type TypedPart = Pick<SearchState, 'q' | 'filter' | 'alpha'>;

/** Keys that come faster than this are one search. */
const searchPauseMs = 20;
/** So long after the last key the address is written. */
const addressPauseMs = 300;
/** Typing that goes on within this time stays one step of the browser's history. */
const samePhraseMs = 1_500;

interface Kept {
  typed: TypedPart;
  /** The address's part when `typed` was last reconciled with it. */
  from: string;
  /** What was put into the address from here and is not there yet, oldest first. */
  sent: string[];
}

interface TypedSearch {
  /** What stands in the boxes. */
  typed: TypedPart;
  type: (change: Partial<TypedPart>) => void;
  /** What is to be searched: the address, with what was typed since. */
  ahead: SearchState;
  /** Writes the address now; false: it says the same already. */
  commitNow: () => boolean;
}

/** The boxes run ahead of the address; a link, Back or Forward sets them anew. */
export function useTypedSearch(state: SearchState, onChange: ChangeSearch): TypedSearch {
  const [before, setKept] = useState<Kept>(() => ({ typed: typedOf(state), from: keyOf(state), sent: [] }));
  const last = useRef({ at: 0, key: '', rest: '', box: '' });
  const address = keyOf(state);
  const kept = reconciled(before, state);
  if (kept !== before) setKept(kept);
  const commit = (typed: TypedPart, box: string) => {
    const key = keyOf(typed);
    // A step Back in the pause has set the boxes anew.
    if (key === address || key !== keyOf(kept.typed)) return false;
    const now = Date.now();
    const previous = last.current;
    // Only while the address is still the one that typing made: a page turned or a step Back in between stays a step.
    const isOwn = kept.sent.length > 0 || (address === previous.key && restOf(state) === previous.rest);
    setKept((earlier) => ({ ...earlier, sent: [...earlier.sent, key] }));
    onChange(
      { ...typed, page: 1 },
      { replace: isOwn && box === previous.box && now - previous.at < samePhraseMs },
    );
    last.current = { at: now, key, rest: restOf({ ...state, page: 1 }), box };
    return true;
  };
  const commitSoon = useDebouncedCallback(commit, addressPauseMs);
  const type = (change: Partial<TypedPart>) => {
    const typed = { ...kept.typed, ...change };
    setKept((earlier) => ({ ...earlier, typed: { ...earlier.typed, ...change } }));
    commitSoon(typed, Object.keys(change).join());
  };
  const [settled] = useDebouncedValue(kept.typed, searchPauseMs);
  return {
    typed: kept.typed,
    type,
    // What a link or Back has set is searched for as it is, though what was typed before settles only later.
    ahead:
      keyOf(kept.typed) === address || keyOf(settled) === address ? state : { ...state, ...settled, page: 1 },
    commitNow: () => {
      commitSoon.cancel();
      return commit(kept.typed, last.current.box);
    },
  };
}

/** What the address says now is either what was sent to it from here, or stands in the boxes from now on. */
function reconciled(kept: Kept, state: SearchState): Kept {
  const address = keyOf(state);
  if (kept.from === address) return kept;
  const arrived = kept.sent.indexOf(address);
  return {
    typed: arrived === -1 ? typedOf(state) : kept.typed,
    from: address,
    sent: arrived === -1 ? [] : kept.sent.slice(arrived + 1),
  };
}

function typedOf({ q, filter, alpha }: SearchState): TypedPart {
  return { q, filter, alpha };
}

function keyOf({ q, filter, alpha }: TypedPart): string {
  return JSON.stringify([q, filter, alpha]);
}

/** The address but for what is typed. */
function restOf({ q: _q, filter: _filter, alpha: _alpha, ...rest }: SearchState): string {
  return JSON.stringify(rest);
}
