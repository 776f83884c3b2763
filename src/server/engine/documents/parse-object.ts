import type { Steps } from '../steps.ts';
import type { IndexedDocument } from '../types.ts';
import { parseJson } from './parse-json.ts';

/** What a document's source says. @throws RangeError where that is no JSON object */
export function* parseObject({ id, source }: IndexedDocument): Steps<Record<string, unknown>> {
  let value: unknown;
  try {
    value = yield* parseJson(source);
  } catch (cause) {
    throw new RangeError(`the source of ${id} is not JSON`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError(`the source of ${id} is not an object`);
  return value as Record<string, unknown>;
}
