import { useLayoutEffect, useRef, useState } from 'react';

/**
 * The text of a box that its parent holds in the address, which follows later: what is typed shows at once, and what the parent says
 * counts where it is not an echo of that (Back, or a button that clears).
 */
export function useTypedText(value: string, onChange: (text: string) => void) {
  const [text, setText] = useState(value);
  /** Handed to the parent and not heard of again, the oldest first. */
  const sent = useRef<string[]>([]);

  useLayoutEffect(() => {
    const at = sent.current.lastIndexOf(value);
    sent.current = sent.current.slice(at + 1);
    if (at !== -1) return;
    sent.current = [];
    setText(value);
  }, [value]);

  function type(typed: string): void {
    sent.current.push(typed);
    setText(typed);
    onChange(typed);
  }

  return [text, type] as const;
}
