/** An array of objects inside an object, as `data` of `{"data": [{…}]}`. */
interface WrappedArray {
  /** Names of the members that lead to it, with dots between. */
  path: string;
  /** Characters before its content, behind the opening bracket. */
  start: number;
}

/** Further in, an array belongs to a document. */
const depthMax = 3;
const foundMax = 5;

/** Where an object that begins this text holds arrays of objects; those of objects within arrays are none. */
export function findWrappedArrays(text: string): WrappedArray[] {
  const found: WrappedArray[] = [];
  const path: string[] = [];
  let key = '';
  let arrays = 0;
  for (let at = 0; at < text.length && found.length < foundMax; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (end === null) return found;
      if (arrays === 0) key = text.slice(at + 1, end);
      at = end;
    } else if (character === '{') {
      if (arrays === 0) path.push(key);
    } else if (character === '}') {
      if (arrays === 0) path.pop();
    } else if (character === '[') {
      const isOfObjects =
        arrays === 0 && path.length <= depthMax && /^\s*\{/.test(text.slice(at + 1, at + 200));
      if (isOfObjects) found.push({ path: [...path.slice(1), key].join('.'), start: at + 1 });
      arrays += 1;
    } else if (character === ']') arrays -= 1;
  }
  return found;
}

/** Of its closing quote; null: it does not end in this text. */
function endOfString(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return null;
}
