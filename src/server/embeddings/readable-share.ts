/** Of a query that the built-in models cannot read: just enough that the nearest stand in their order behind what the words find. */
const unreadTrust = 0.02;

const letters = /[\p{L}\p{N}]/gu;
const readable = /[\p{Script=Latin}\p{N}]/gu;

/**
 * How far a vector by the built-in models stands for a text, 0 to 1: the share of its letters and digits that are of the script whose words they
 * have learnt. Of others they know single characters, if any: texts are near to each other that have the same letters.
 */
export function readableShare(text: string): number {
  const all = text.match(letters)?.length ?? 0;
  const read = text.match(readable)?.length ?? 0;
  return all === 0 ? 1 : Math.max(unreadTrust, read / all);
}
