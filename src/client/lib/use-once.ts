import { useCallback, useEffect, useRef } from 'react';

/**
 * Sends a form once: a second click or Enter before the button shows that it works, or while the dialog fades out, is dropped.
 * After a failure it can be sent again. `keyOf` tells apart what a component that stays sends one after the other.
 * The failure itself is the mutation's (`onError`, `error`), which every form shows.
 */
export function useOnce<V>(
  send: (values: V) => Promise<unknown>,
  keyOf: (values: V) => unknown = () => null,
): (values: V) => void {
  const sent = useRef<{ key: unknown } | null>(null);
  const latest = useRef({ send, keyOf });
  useEffect(() => {
    latest.current = { send, keyOf };
  });
  return useCallback((values: V) => {
    const own = { key: latest.current.keyOf(values) };
    if (sent.current && Object.is(sent.current.key, own.key)) return;
    sent.current = own;
    latest.current.send(values).catch(() => {
      if (sent.current === own) sent.current = null;
    });
  }, []);
}
