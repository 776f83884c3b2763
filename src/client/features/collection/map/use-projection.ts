import { useEffect, useState } from 'react';
import type { MapMessage } from './map-worker.ts';
import type { PackedRows } from './projection/unpack-rows.ts';

export interface Projection {
  /** Two numbers a point; null: not yet. */
  positions: Float32Array | null;
  /** Of the work, from 0 to 1. */
  share: number;
  /** The nearest points of each by their vectors, `size` each; null: not known yet. */
  neighbours: { rows: Int32Array; size: number } | null;
  /** Why there will be no map. */
  error: Error | null;
}

const nothing: Projection = { positions: null, share: 0, neighbours: null, error: null };

/**
 * Draws a map in a thread of its own, which ends with the page, or when other rows come. `again` begins anew. Who wants less motion sees the first
 * picture and the last.
 */
export function useProjection(packed: PackedRows | null, again: number): Projection {
  const [projection, setProjection] = useState(nothing);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is counted up to begin anew
  useEffect(() => {
    setProjection(nothing);
    if (packed === null) return undefined;
    const worker = new Worker(new URL('./map-worker.ts', import.meta.url), { type: 'module' });
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    worker.onmessage = ({ data }: MessageEvent<MapMessage>) =>
      setProjection((before) => taken(before, data, isStill));
    worker.onerror = (event) => {
      event.preventDefault();
      const why = event.message || 'The browser could not start the thread that draws the map.';
      setProjection((before) => ({ ...before, error: new Error(why) }));
    };
    worker.postMessage(packed);
    return () => worker.terminate();
  }, [packed, again]);
  return projection;
}

function taken(before: Projection, message: MapMessage, isStill: boolean): Projection {
  if (message.kind === 'neighbours')
    return { ...before, neighbours: { rows: message.rows, size: message.size } };
  const { positions, share } = message;
  const isShown = !isStill || before.positions === null || share === 1;
  return { ...before, share, positions: isShown ? positions : before.positions };
}
