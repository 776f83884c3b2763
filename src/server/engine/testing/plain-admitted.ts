/** What the phrases and exclusions of a query leave, the plain way: every text of every document is cut into words, and each place is tried. */
import { Bitset } from '../bits/bitset.ts';
import { fieldTexts } from '../documents/text-fields.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import { runSteps } from '../steps.ts';
import { phraseWords, tokenize } from '../text/analyzer.ts';
import { readSyntax } from '../text/query-syntax.ts';
import type { SearchQuery } from '../types.ts';

interface Parts {
  lexical: LexicalIndex;
  documents: { live: Bitset; capacity: number; sourceOf(ordinal: number): string };
}

export function plainAdmitted(
  { lexical, documents }: Parts,
  { text, fields }: Pick<SearchQuery, 'text' | 'fields'>,
): Bitset {
  const { analyzer } = lexical;
  const admitted = new Bitset(documents.capacity);
  documents.live.forEach((ordinal) => {
    const own = runSteps(fieldTexts(JSON.parse(documents.sourceOf(ordinal))))
      .filter(({ path }) => fields === null || fields.some(({ name, weight }) => name === path && weight > 0))
      .map((each) => tokenize(each.text, analyzer.words).map(({ token }) => analyzer.stem(token)));
    const isAdmitted = readSyntax(text).parts.every((part) => {
      const wanted = phraseWords(part.text, analyzer.words).map((word) => analyzer.stem(word));
      if (part.kind === 'words' || wanted.length === 0) return true;
      const isHeld = own.some((words) =>
        words.some((_, at) => wanted.every((word, i) => words[at + i] === word)),
      );
      return isHeld === (part.kind === 'phrase');
    });
    if (isAdmitted) admitted.add(ordinal);
  });
  return admitted;
}
