/**
 * 128 numbers in as many bits each as the largest one needs: 4 words of 32 bits for each bit, the lowest bits first. Reading costs about a
 * nanosecond a number. Source: D. Lemire, L. Boytsov, "Decoding billions of integers per second through vectorization", 2015, section 4.
 */
export const packedCount = 128;

/** Words that 128 numbers of so many bits take. */
export const packedWords = (bits: number): number => 4 * bits;

/** Bits that a number from 0 needs. */
export const bitsOf = (value: number): number => 32 - Math.clz32(value);

/** The lowest `bits` of 128 numbers, to `at`. */
export function pack(values: Int32Array, bits: number, words: Uint32Array, at: number): void {
  if (bits === 0) return;
  const mask = maskOf(bits);
  let place = at;
  let word = 0;
  let shift = 0;
  for (let i = 0; i < packedCount; i += 1) {
    const value = (values[i] ?? 0) & mask;
    word |= value << shift;
    shift += bits;
    if (shift < 32) continue;
    words[place] = word;
    place += 1;
    shift -= 32;
    word = shift === 0 ? 0 : value >>> (bits - shift);
  }
}

export function unpack(words: Uint32Array, at: number, bits: number, values: Int32Array): void {
  if (bits === 0) {
    values.fill(0, 0, packedCount);
    return;
  }
  const mask = maskOf(bits);
  const last = at + packedWords(bits) - 1;
  let place = at;
  let word = words[place] ?? 0;
  let shift = 0;
  for (let i = 0; i < packedCount; i += 1) {
    let value = word >>> shift;
    shift += bits;
    if (shift >= 32) {
      shift -= 32;
      if (place < last) {
        place += 1;
        word = words[place] ?? 0;
        if (shift > 0) value |= word << (bits - shift);
      }
    }
    values[i] = value & mask;
  }
}

/** One of the numbers. */
export function unpackOne(words: Uint32Array, at: number, bits: number, place: number): number {
  if (bits === 0) return 0;
  const bit = place * bits;
  const word = at + (bit >>> 5);
  const shift = bit & 31;
  const low = (words[word] ?? 0) >>> shift;
  const value = shift + bits > 32 ? low | ((words[word + 1] ?? 0) << (32 - shift)) : low;
  return value & maskOf(bits);
}

/** Numbers that ascend, of which the packed ones say by how much less one: the sums from `before` on. */
export function unpackAscending(
  words: Uint32Array,
  { at, bits, before }: { at: number; bits: number; before: number },
  values: Int32Array,
): void {
  unpack(words, at, bits, values);
  let sum = before;
  for (let i = 0; i < packedCount; i += 1) {
    sum += (values[i] ?? 0) + 1;
    values[i] = sum;
  }
}

function maskOf(bits: number): number {
  return bits === 32 ? -1 : (1 << bits) - 1;
}
