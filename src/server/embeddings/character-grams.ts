/**
 * Hashed character n-grams: the components beyond the model's own. They carry what a vocabulary does not know (names, codes, other
 * languages): two words that share most of their letters come out near each other.
 */

const gramLengthMin = 3;
const gramLengthMax = 5;
const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;
/** A word's letters read: a megabyte without a space is one word too. */
const wordCharactersMax = 100;

/** Adds the n-grams of `<word>` to `out[from..]`, all together with this weight. */
export function addGrams(out: Float32Array, from: number, word: string, weight: number): void {
  const width = out.length - from;
  const text = `<${word.length > wordCharactersMax ? word.slice(0, wordCharactersMax) : word}>`;
  const share = weight / Math.sqrt(gramCount(text.length));
  for (let start = 0; start + gramLengthMin <= text.length; start++) {
    let hash = fnvOffset;
    const end = Math.min(text.length, start + gramLengthMax);
    for (let at = start; at < end; at++) {
      hash = Math.imul(hash ^ text.charCodeAt(at), fnvPrime);
      if (at - start + 1 < gramLengthMin) continue;
      // FNV's low bits mix best once folded; the top bit, unused by the place, gives the sign.
      const mixed = (hash ^ (hash >>> 15)) >>> 0;
      const place = from + ((mixed & 0x7fffffff) % width);
      out[place] = (out[place] ?? 0) + (hash < 0 ? -share : share);
    }
  }
}

function gramCount(length: number): number {
  let count = 0;
  for (let size = gramLengthMin; size <= gramLengthMax; size++) count += Math.max(0, length - size + 1);
  return Math.max(1, count);
}
