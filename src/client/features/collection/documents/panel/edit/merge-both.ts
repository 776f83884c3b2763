import { changedFields } from './changed-fields.ts';
import type { Fields } from './known.ts';

interface Merged {
  document: Fields;
  /** Fields that both have changed, each in another way: yours stand. */
  clashes: string[];
}

/** What two have made of one document, field by field of the uppermost level; in their order, and what only you have added behind it. */
export function mergeBoth(base: Fields, theirs: Fields, yours: Fields): Merged {
  const own = new Set(changedFields(base, yours).map(({ field }) => field));
  const document: Fields = {};
  for (const field of new Set([...Object.keys(theirs), ...Object.keys(yours)])) {
    const from = own.has(field) ? yours : theirs;
    const value = Object.hasOwn(from, field) ? from[field] : undefined;
    if (value !== undefined) put(document, field, value);
  }
  const differ = new Set(changedFields(theirs, yours).map(({ field }) => field));
  const clashes = changedFields(base, theirs).flatMap(({ field }) =>
    own.has(field) && differ.has(field) ? [field] : [],
  );
  return { document, clashes };
}

/** A field may be called `__proto__`. */
function put(document: Fields, field: string, value: Fields[string]): void {
  Object.defineProperty(document, field, { value, enumerable: true, configurable: true, writable: true });
}
