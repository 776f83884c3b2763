import { useRef } from 'react';

/** Sends one thing of a key at a time: a double click sends once, and once it is answered it may be sent again. Failures are the mutation's. */
export function useOneAtATime<V>(
  send: (values: V) => Promise<unknown>,
  keyOf: (values: V) => string,
): (values: V) => void {
  const running = useRef(new Set<string>());
  return (values) => {
    const key = keyOf(values);
    if (running.current.has(key)) return;
    running.current.add(key);
    const release = () => running.current.delete(key);
    send(values).then(release, release);
  };
}
