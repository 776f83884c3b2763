const isAscii = /^[\s!-~]*$/;
const letters = /[\p{L}\p{N}]/gu;
const readable = /[\p{Script=Latin}\p{N}]/gu;

/**
 * How much of a text the built-in models read, 0 to 1: the share of its letters and digits that are of the script whose words they
 * have learnt. Of others they know single characters, if any: texts are near to each other that have the same letters.
 */
export function readableShare(text: string): number {
  if (isAscii.test(text)) return 1;
  const all = text.match(letters)?.length ?? 0;
  const read = text.match(readable)?.length ?? 0;
  return all === 0 ? 1 : read / all;
}
