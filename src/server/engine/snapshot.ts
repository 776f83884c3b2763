/**
 * An index as bytes, to start fast. A snapshot is a cache: whatever is unknown, torn, changed by a single bit or another
 * collection's is refused with the reason, never an error and never a wrong answer.
 *
 *   "VECTORA\n" · format u32 · header length u32 · header CRC-32C u32 · header · sections one after the other
 *
 * Little-endian. The header is JSON: collection, settings, version, and for each section its name, length and CRC-32C. Every byte of the file is
 * either compared or under a checksum. A change of any section's layout is a new format number; old ones are rebuilt from the record.
 */
import { crc32c } from './memory/crc32c.ts';
import { SearchIndex } from './search-index.ts';
import type { IndexSettings } from './types.ts';

const MAGIC = 'VECTORA\n';
const FORMAT = 2;
const PREAMBLE_BYTES = MAGIC.length + 12;

interface Header {
  collectionId: number;
  settings: IndexSettings;
  version: number;
  sections: { name: string; length: number; crc: number }[];
}

export function encodeSnapshot(index: SearchIndex, collectionId: number): Uint8Array {
  const sections = index.encodeSections();
  const header: Header = {
    collectionId,
    settings: index.settings,
    version: index.stats().version,
    sections: Array.from(sections, ([name, bytes]) => ({ name, length: bytes.length, crc: crc32c(bytes) })),
  };
  const headerBytes = new TextEncoder().encode(JSON.stringify(header));
  const preamble = new Uint8Array(PREAMBLE_BYTES);
  preamble.set(new TextEncoder().encode(MAGIC));
  const view = new DataView(preamble.buffer);
  view.setUint32(MAGIC.length, FORMAT, true);
  view.setUint32(MAGIC.length + 4, headerBytes.length, true);
  view.setUint32(MAGIC.length + 8, crc32c(headerBytes), true);
  return joined([preamble, headerBytes, ...sections.values()]);
}

/** `settings` are the collection's as the record has them. */
export function decodeSnapshot(
  bytes: Uint8Array,
  collectionId: number,
  settings: IndexSettings,
): { index: SearchIndex } | { refused: string } {
  try {
    const { header, end } = readHeader(bytes);
    if (header.collectionId !== collectionId) throw new Refusal('it belongs to another collection');
    if (JSON.stringify(header.settings) !== JSON.stringify(settings))
      throw new Refusal('the collection has other settings now');
    return { index: SearchIndex.decodeSections(readSections(bytes, header, end), settings, header.version) };
  } catch (error) {
    // Behind the checksums only our own older layout can be malformed; both are a reason to rebuild, not to fail.
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

class Refusal extends Error {}

function readHeader(bytes: Uint8Array): { header: Header; end: number } {
  if (bytes.length < PREAMBLE_BYTES) throw new Refusal('it ends within its first bytes');
  const decoder = new TextDecoder();
  if (decoder.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new Refusal('it is not a snapshot');
  const view = new DataView(bytes.buffer, bytes.byteOffset + MAGIC.length, 12);
  const format = view.getUint32(0, true);
  if (format !== FORMAT) throw new Refusal(`format ${format} is unknown`);
  const end = PREAMBLE_BYTES + view.getUint32(4, true);
  const header = bytes.subarray(PREAMBLE_BYTES, end);
  if (end > bytes.length || crc32c(header) !== view.getUint32(8, true))
    throw new Refusal('its header is damaged');
  return { header: JSON.parse(decoder.decode(header)) as Header, end };
}

function readSections(bytes: Uint8Array, header: Header, start: number): Map<string, Uint8Array> {
  const sections = new Map<string, Uint8Array>();
  let offset = start;
  for (const { name, length, crc } of header.sections) {
    const section = bytes.subarray(offset, offset + length);
    if (section.length !== length) throw new Refusal(`it ends within ${name}`);
    if (crc32c(section) !== crc) throw new Refusal(`${name} is damaged`);
    sections.set(name, section);
    offset += length;
  }
  if (offset !== bytes.length) throw new Refusal('there is more than it says');
  return sections;
}

function joined(parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}
