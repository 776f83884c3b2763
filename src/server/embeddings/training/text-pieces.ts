import type { RandomNumbers } from '#server/random-numbers.ts';

/** A document that pieces are taken from. */
export interface SourceText {
  title: string;
  text: string;
}

const passageWords = [20, 90] as const;
const spanWords = [2, 8] as const;
const sentenceWords = [4, 40] as const;
const sentenceEnd = /(?<=[.!?])\s+(?=[\p{Lu}\p{N}"'(])/u;

/** A passage, a title, a span of some words, a sentence: what documents and queries look like, and how often each is wanted. */
const kinds: readonly [share: number, piece: (source: SourceText, random: RandomNumbers) => string][] = [
  [0.52, ({ text }, random) => run(wordsOf(text), random.between(...passageWords), random)],
  [0.3, ({ title }) => title],
  [0.1, ({ title, text }, random) => run(wordsOf(text || title), random.between(...spanWords), random)],
  [0.08, ({ text }, random) => sentence(text, random)],
];
const shares = kinds.map(([share]) => share);

/** One piece of a document, of a kind that chance decides; null where the document has none of that kind. */
export function pieceOf(source: SourceText, random: RandomNumbers): string | null {
  const [, piece] = kinds[random.weighted(shares)] ?? [];
  const text = piece?.(source, random).trim() ?? '';
  return text === '' ? null : text;
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/** So many words on end, or all there are. */
function run(words: string[], count: number, random: RandomNumbers): string {
  const start = random.between(0, Math.max(0, words.length - count));
  return words.slice(start, start + count).join(' ');
}

function sentence(text: string, random: RandomNumbers): string {
  const fitting = text.split(sentenceEnd).filter((each) => {
    const words = wordsOf(each).length;
    return words >= sentenceWords[0] && words <= sentenceWords[1];
  });
  return fitting.length === 0 ? '' : random.pick(fitting);
}
