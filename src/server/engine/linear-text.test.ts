import { describe, expect, it } from 'vitest';
import { document, indexOf, searchFor } from './testing/fixtures.ts';
import { nastyTexts } from './testing/nasty-texts.ts';
import { normalisingSteps } from './testing/normalising-steps.ts';
import { pieceUnitsMax } from './text/stream-safe.ts';

const short = 4_096;
const long = 4 * short;

/** In a quoted value of a filter. */
const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const head = (text: string, units: number): string => text.slice(0, units).toWellFormed();

/** What is done with a text of each kind; only the last step is counted. */
const work: Record<string, (text: string) => () => void> = {
  writing: (text) => () => indexOf([document('1', { text })]),
  'a query': (text) => {
    const index = indexOf([document('1', { title: 'other' })]);
    return () => index.search(searchFor({ text }));
  },
  'a filter by words': (text) => {
    // Of two texts one must hold both words, which the inverted index does not tell; and so many words that the text is cut into its own.
    const words = Array.from({ length: 9 }, (_, i) => `k${i}`);
    const index = indexOf([document('1', { text: [`${text} fox ${words.join(' ')}`, 'short'] })]);
    return () => expect(index.ids(`text:[${words.map((word) => `fox ${word}`).join(', ')}]`)).toEqual(['1']);
  },
  'a filter by the whole': (text) => {
    const index = indexOf([document('1', { text }), document('2', { text: `${text}!` })]);
    return () => index.ids(`text:=${quoted(text)} || text:!=${quoted(head(text, 100))}*`);
  },
  highlights: (text) => {
    const index = indexOf([document('1', { text: `fox ${text} fox` })]);
    return () => index.search(searchFor({ text: 'fox' }));
  },
  facets: (text) => {
    const index = indexOf([document('1', { text })]);
    const facets = [{ field: 'text', ranges: [] }];
    return () => index.search(searchFor({ text: '*', facets, facetQuery: head(text, 200) }));
  },
  sorting: (text) => {
    const index = indexOf([document('1', { text }), document('2', { text: text.slice(1) })]);
    return () => index.search(searchFor({ text: '*', sort: [{ field: 'text', descending: false }] }));
  },
};

const kinds = Object.entries(nastyTexts);

/** What is read is read by one reader, whatever is done with it: each kind of text is tried in some ways, each in another by turns. */
const isTried = (way: number, kind: number) =>
  process.env['LONG_TESTS'] !== undefined || (way + kind) % 3 === 0;

describe.each(Object.entries(work).map(([name, prepare], way) => [name, prepare, way] as const))(
  '%s normalises in bounded pieces, and four times as much of',
  (_, prepare, way) => {
    it.each(kinds.filter((_, kind) => isTried(way, kind)))('%s', (_, textOf) => {
      const once = normalisingSteps(prepare(textOf(short)));
      const more = normalisingSteps(prepare(textOf(long)));
      expect(more.largest).toBeLessThanOrEqual(20 * pieceUnitsMax);
      // A run is at most 30 marks: 30 steps a mark, a dozen times over in a word.
      expect(more.steps).toBeLessThanOrEqual(400 * long);
      expect(more.steps).toBeLessThanOrEqual(4.5 * once.steps + 10 * pieceUnitsMax);
    });
  },
);
