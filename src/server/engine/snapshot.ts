/**
 * An index as named pieces of bytes, to start fast. A snapshot is a cache: what is unknown or made for other settings is refused with the
 * reason, never an error and never a wrong answer. That the bytes are the ones that were written is for whoever stored them to know.
 *
 * The piece `header` is JSON: layout, settings, version. The others are sections (`memory/sections.ts`). A change of their layout, or of
 * how texts are folded, is a new layout number; old ones are rebuilt from the record.
 */
import { ByteStream } from './memory/byte-stream.ts';
import { Piece, SectionSequence, type SnapshotPiece } from './memory/sections.ts';
import { SearchIndex } from './search-index.ts';
import type { Steps } from './steps.ts';
import { english } from './text/english.ts';
import type { IndexSettings, Snapshot } from './types.ts';

export { ByteStream, type SnapshotPiece };

const LAYOUT = 15;
const HEADER = 'header';

interface Header {
  layout: number;
  settings: StoredSettings;
  version: number;
}

/** The analyzer by its name. */
type StoredSettings = Omit<IndexSettings, 'analyzer'> & { analyzer: string };

function toStored({ analyzer = english, ...settings }: IndexSettings): StoredSettings {
  return { ...settings, analyzer: analyzer.name };
}

/** The pieces where they lie, by name: good until the index is written to or kept up. It may be searched meanwhile. */
export type GatheredSnapshot = ReadonlyMap<string, Piece>;

export function* gatherSnapshot(index: SearchIndex): Steps<GatheredSnapshot> {
  const header: Header = {
    layout: LAYOUT,
    settings: toStored(index.settings),
    version: index.stats().version,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(header));
  return new Map([[HEADER, new Piece([bytes], bytes.length)], ...(yield* index.sections())]);
}

/** Bytes `from` to `from + length` of a piece, those that there are. @throws RangeError there is no such piece */
export function copyPiece(
  gathered: GatheredSnapshot,
  { name, from, length }: { name: string; from: number; length: number },
): Steps<Uint8Array> {
  const piece = gathered.get(name);
  if (piece === undefined) throw new RangeError(`there is no piece ${name}`);
  return piece.copy(from, length);
}

/** All of it as a copy. */
export function* encodeSnapshot(index: SearchIndex): Steps<Snapshot> {
  const snapshot: Snapshot = new Map();
  for (const [name, piece] of yield* gatherSnapshot(index)) snapshot.set(name, yield* piece.copy());
  return snapshot;
}

export type DecodedSnapshot = { index: SearchIndex } | { refused: string };

/**
 * Decodes as the bytes of its pieces arrive, one piece behind the other: while none are there that its steps need, they do nothing and
 * `bytes` is waiting. `settings` are the collection's as the record has them.
 */
export function* decodeSnapshot(
  pieces: readonly SnapshotPiece[],
  bytes: ByteStream,
  settings: IndexSettings,
): Steps<DecodedSnapshot> {
  try {
    const sections = new SectionSequence(pieces, bytes);
    const header = JSON.parse(new TextDecoder().decode(yield* sections.readPiece(HEADER))) as Header;
    if (header.layout !== LAYOUT) return { refused: `layout ${header.layout} is unknown` };
    const stored = toStored(settings);
    if (header.settings.analyzer !== stored.analyzer)
      return { refused: `it was read as ${header.settings.analyzer}, not as ${stored.analyzer}` };
    if (JSON.stringify(header.settings) !== JSON.stringify(stored))
      return { refused: 'the collection has other settings now' };
    return { index: yield* SearchIndex.decodeSections(sections, settings, header.version) };
  } catch (error) {
    // A missing or malformed piece is a reason to rebuild, not to fail.
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** From all of it. */
export function decodeWhole(snapshot: Snapshot, settings: IndexSettings): Steps<DecodedSnapshot> {
  const bytes = new ByteStream();
  for (const piece of snapshot.values()) bytes.add(piece);
  const pieces = Array.from(snapshot, ([name, { length }]) => ({ name, length }));
  return decodeSnapshot(pieces, bytes, settings);
}
