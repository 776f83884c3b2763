import type { Analyzer } from './analyzer.ts';
import { stem } from './porter.ts';
import { faintWords, stopWords } from './stop-words.ts';
import { plainWords } from './word-rules.ts';

/** What an index reads texts by that is told nothing else. */
export const english: Analyzer = {
  name: 'en',
  words: plainWords,
  stem,
  isStemBeginning: true,
  stopWords,
  faintWords,
};
