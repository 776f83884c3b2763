import type { EmbeddingText } from './embedder.ts';

/** More than models read: some 8,000 tokens. */
const charactersMax = 24_000;

/** A document's text in one piece, for models that have no place for a title. */
export function wordsOf({ title, text }: EmbeddingText): string {
  return cutWords([title, text].filter((part) => part.trim() !== '').join('\n\n'));
}

/** Half of a character at its end would be refused. */
export const cutWords = (text: string): string => text.slice(0, charactersMax).toWellFormed();
