import type { Snapshot } from '#server/engine/types.ts';
import type { OpenSettings } from '#server/indexes/host/engine-calls.ts';
import type { AskedCollection, EngineHost } from '#server/indexes/host/engine-host.ts';
import type { SnapshotSource } from '#server/indexes/host/snapshot-source.ts';
import type { SnapshotFiles, SnapshotOwner } from '#server/indexes/registry/snapshot-files.ts';

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

/** All of a snapshot in files; null: there is none. */
export function readWhole(files: SnapshotFiles, owner: SnapshotOwner) {
  const snapshot: Snapshot = new Map();
  let rest: Uint8Array[] = [];
  return files.read<{ snapshot: Snapshot }>(owner, {
    async begin(pieces) {
      for (const { name, length } of pieces) snapshot.set(name, new Uint8Array(length));
      rest = [...snapshot.values()].filter(({ length }) => length > 0);
    },
    async take(bytes) {
      for (let done = 0; done < bytes.length; ) {
        const [piece = new Uint8Array(0)] = rest;
        const part = bytes.subarray(done, done + piece.length);
        piece.set(part);
        done += part.length;
        if (part.length === piece.length) rest.shift();
        else rest[0] = piece.subarray(part.length);
      }
      return rest.length === 0 ? { snapshot } : null;
    },
  });
}

/** Its pieces, one behind the other. */
export const joined = (snapshot: Snapshot): Uint8Array => Buffer.concat([...snapshot.values()]);

/** Opens an index from a snapshot in memory, part by part. */
export async function openFrom(
  host: Pick<EngineHost, 'call'>,
  collection: AskedCollection,
  { settings, snapshot }: { settings: OpenSettings; snapshot: Snapshot },
) {
  await host.call(collection, { call: 'open', settings, snapshot: sourceOf(snapshot).pieces });
  const bytes = joined(snapshot);
  for (let from = 0; ; from += partBytes) {
    const part = bytes.subarray(from, from + partBytes);
    const opened = await host.call(collection, { call: 'openBytes', bytes: part });
    if (opened !== null) return opened;
    if (from >= bytes.length) throw new Error('more bytes are asked for than there are');
  }
}
