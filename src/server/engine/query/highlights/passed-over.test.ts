import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bitset } from '../../bits/bitset.ts';
import { fieldTexts, textsAtOnce } from '../../documents/text-fields.ts';
import { askedPhrases, termsOf } from '../../lexical/asked-phrases.ts';
import { KeywordSearch } from '../../lexical/keyword-search.ts';
import { LexicalIndex } from '../../lexical/lexical-index.ts';
import { MatchedWords } from '../../lexical/matched-words.ts';
import { SearchScratch } from '../../memory/search-scratch.ts';
import { runSteps } from '../../steps.ts';
import { document, indexOf, searchFor } from '../../testing/fixtures.ts';
import { runs } from '../../testing/runs.ts';
import type { SearchQuery } from '../../types.ts';
import { Highlighter, type WordMatcher } from './highlighter.ts';

const allCharacters = new Uint8Array(128).fill(1);

/** What matches, with nothing passed over: each word of every field is asked for. */
function plainMatcher(documents: Record<string, unknown>[], query: SearchQuery): WordMatcher {
  const lexical = new LexicalIndex();
  documents.forEach((each, ordinal) => {
    runSteps(lexical.add(ordinal, runSteps(fieldTexts(each))));
  });
  const size = documents.length;
  const sourceOf = (ordinal: number) => JSON.stringify(documents[ordinal]);
  const living = {
    live: new Bitset(size).fill(size),
    liveCount: size,
    capacity: size,
    sourceOf,
    sourceBytesOf: () => 0,
  };
  const parts = { lexical, documents: living, scratch: new SearchScratch() };
  const { words } = runSteps(new KeywordSearch(parts, query).run());
  const quoted = askedPhrases(query.text, lexical.analyzer).filter(({ kind }) => kind === 'phrase');
  const phrases = quoted.map((phrase) => termsOf(lexical.dictionary, phrase));
  const matched = runSteps(MatchedWords.of(lexical, words, phrases));
  return {
    numberOf: (word) => matched.numberOf(word),
    mayMatch: () => true,
    firsts: allCharacters,
    dropLoose: (matches) => matched.dropLoose(matches),
  };
}

const words =
  'note book notebook notebooks XJ-200 xj200 C++ .NET v2.5 2.5 4,5 AT&T att o’neill oneill run running runs skies sky the a naïve naive Ärger 東京都 京都 русский слово 🍕 e-mail email state-of-the-art art network netwrok networks';
const word = fc.constantFrom(...words.split(' '));
const between = fc.constantFrom(' ', ' ', ' ', ', ', '-', '/', '. ', ' .', '&');
const text = fc
  .array(fc.tuple(word, between), { maxLength: 50 })
  .map((pieces) => pieces.map((piece) => piece.join('')).join(''));
const fields = fc.record({
  title: text,
  tags: fc.array(text, { maxLength: 3 }),
  deep: fc.record({ a: text }),
});
const queryWord = fc.oneof(
  word,
  word.map((each) => each.slice(0, 3)),
  fc.tuple(word, word).map(([a, b]) => `"${a} ${b}"`),
);
const alternative = fc
  .constantFrom('book', 'state of the art', 'network', 'c++')
  .map((each) => each.split(' '));
const synonym = fc.record({
  words: fc.constantFrom('note', 'run', 'email', 'xj').map((each) => [each]),
  alternatives: fc.array(alternative, { minLength: 1, maxLength: 2 }),
});

it('highlights are those of a reading that passes nothing over', () => {
  fc.assert(
    fc.property(
      fc.array(fields, { minLength: 1, maxLength: 6 }),
      fc.array(queryWord, { minLength: 1, maxLength: 4 }),
      fc.array(synonym, { maxLength: 2 }),
      fc.constantFrom('auto' as const, 'any' as const),
      (sources, asked, synonyms, match) => {
        const query = searchFor({ text: asked.join(' '), synonyms, match, limit: 250 });
        const { hits } = indexOf(sources.map((each, i) => document(String(i), each))).search(query);
        const plain = new Highlighter(plainMatcher(sources, query));
        for (const hit of hits) {
          const texts = textsAtOnce(sources[Number(hit.id)] ?? {}, null);
          const expected = hit.textMatch === null ? [] : plain.highlightAtOnce(texts);
          expect(hit.highlights).toEqual(expected);
        }
      },
    ),
    { numRuns: runs(400) },
  );
});
