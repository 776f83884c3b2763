import { ordinalsMax } from '../lexical/postings.ts';
import type { Steps } from '../steps.ts';
import type { IndexedDocument, WriteBatch } from '../types.ts';
import { parseObject } from './parse-object.ts';

/** A put that has been checked. */
export interface ParsedPut {
  document: IndexedDocument;
  fields: Record<string, unknown>;
}

/** Of an index of this version with so many ordinals. @throws RangeError */
export function* checkedPuts(
  { version, puts }: WriteBatch,
  index: { version: number; capacity: number; dimension: number },
): Steps<ParsedPut[]> {
  if (!Number.isSafeInteger(version) || version < index.version)
    throw new RangeError(`version ${version} is before ${index.version}`);
  if (index.capacity + puts.length > ordinalsMax)
    throw new RangeError(`an index holds at most ${ordinalsMax} documents`);
  const parsed: ParsedPut[] = [];
  for (const document of puts) {
    if (document.vectors.length % index.dimension !== 0)
      throw new RangeError(`the vectors of ${document.id} are not rows of ${index.dimension}`);
    parsed.push({ document, fields: yield* parseObject(document) });
    yield;
  }
  return parsed;
}
