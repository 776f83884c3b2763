import type { Snapshot } from '#server/engine/types.ts';
import type { SnapshotSource } from '#server/indexes/host/snapshot-source.ts';

/** A snapshot that lies in memory. */
export function sourceOf(snapshot: Snapshot): SnapshotSource {
  return {
    pieces: Array.from(snapshot, ([name, { length }]) => ({ name, length })),
    copy: async ({ name, from, length }) =>
      (snapshot.get(name) ?? new Uint8Array(0)).slice(from, from + length),
  };
}

const partBytes = 2 * 1024 * 1024;

/** All of a snapshot, read part by part. */
export async function wholeOf({ pieces, copy }: SnapshotSource): Promise<Snapshot> {
  const snapshot: Snapshot = new Map();
  for (const { name, length } of pieces) {
    const whole = new Uint8Array(length);
    for (let from = 0; from < length; from += partBytes)
      whole.set(await copy({ name, from, length: Math.min(partBytes, length - from) }), from);
    snapshot.set(name, whole);
  }
  return snapshot;
}
