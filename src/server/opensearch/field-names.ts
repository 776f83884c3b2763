/**
 * Names of the fields that a document has in a cluster. Each path of ours is one field below a slot that says what it keeps, with the letters
 * escaped that mean something there: dots part objects, stars stand for any name, blanks are refused.
 *
 *   s  what facets count: labels of all values · k  all values as one, for groups · z  what is sorted by, of any type · n d b g  numbers, seconds, booleans, points
 *   o  whole texts, folded; of long ones the beginning · v  long texts, folded · w y  their words, of texts that read as dates apart · t  their terms · c  those of
 *   content words, by which texts are as long as they count
 */
type Slot = 's' | 'k' | 'z' | 'n' | 'd' | 'b' | 'g' | 'o' | 'v' | 'w' | 'y' | 't' | 'c';

const meant = /[%.*\s\\\p{C}]/gu;

/** Of an empty path, which stands for no field elsewhere. */
const emptyName = '%';

export function fieldName(path: string): string {
  const name = path.replace(meant, (letter) =>
    Array.from(Buffer.from(letter), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  );
  return name === '' ? emptyName : name;
}

/** A point as a cluster has it. */
export const pointOf = ({ lat, lng }: { lat: number; lng: number }) => ({ lat, lon: lng });

export function slotName(slot: Slot, path: string): string {
  return `${slot}.${fieldName(path)}`;
}
