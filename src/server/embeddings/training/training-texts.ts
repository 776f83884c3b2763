import { RandomNumbers } from '#server/random-numbers.ts';
import { codeText } from './made-code.ts';
import { productText } from './made-products.ts';
import { pieceOf, type SourceText } from './text-pieces.ts';

/** A source is drawn from by its size to this power: one of twice the documents gives 1.6 times the texts, so that none drowns the others. */
const sizePower = 0.7;
const madeShare = 0.12;
const codeShare = 0.45;
/** Draws that bring nothing new, one after the other, before the sources count as used up. */
const vainDrawsMax = 10_000;

interface Wanted {
  texts: number;
  seed: number;
}

/**
 * Distinct texts to train on: pieces of the sources' documents, and made-up ones in the manner of code and products, without which punctuation, identifiers
 * and numbers have what they mean in prose. The same seed and sources make the same texts; fewer than wanted where the sources have no more.
 */
export function trainingTexts(sources: readonly SourceText[][], { texts, seed }: Wanted): string[] {
  const random = new RandomNumbers(seed);
  const weights = sources.map(({ length }) => length ** sizePower);
  const found = new Set<string>();
  const draw = () => {
    if (sources.length === 0 || random.next() < madeShare)
      return random.next() < codeShare ? codeText(random) : productText(random);
    return pieceOf(random.pick(sources[random.weighted(weights)] ?? []), random);
  };
  for (let vain = 0; found.size < texts && vain < vainDrawsMax; ) {
    const before = found.size;
    const text = draw();
    if (text !== null) found.add(text);
    vain = found.size === before ? vain + 1 : 0;
  }
  return [...found];
}
