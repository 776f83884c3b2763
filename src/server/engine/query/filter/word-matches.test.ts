import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SearchIndex } from '../../search-index.ts';
import { document, fromSnapshot, indexOf, smallSettings, snapshotOf } from '../../testing/fixtures.ts';
import { tokenize } from '../../text/analyzer.ts';
import type { Snapshot } from '../../types.ts';

const robots =
  'robot roboting roboted roboter robotic robotical robotness robotment robotive robotize robots robotable';
/** Words of few terms, of one so many that marks do not tell all of them apart; some are words beside others: `us-es` is `uses` too. */
const vocabulary = [
  ...['use', 'uses', 'used', 'using', 'users', 'us', 'us-es'],
  ...['compute', 'computes', 'computers', 'computation', 'computing', 'computations', 'comput-ing'],
  ...robots.split(' '),
  ...['model', 'models', 'Modeling', 'generalization', 'generals', 'einstellungen', 'Einstellung'],
];
const filler = 'A quiet tale of the river and the stone houses beside it. '.repeat(5);
const textOf = fc
  .record({ words: fc.array(fc.constantFrom(...vocabulary), { maxLength: 4 }), isLong: fc.boolean() })
  .map(({ words, isLong }) => `${isLong ? filler : ''}${words.join(' ')}`);
const fields = fc.record(
  { title: textOf, text: fc.oneof(textOf, fc.array(textOf, { maxLength: 2 })) },
  { requiredKeys: [] },
);
const asked = fc.record({
  path: fc.constantFrom('title' as const, 'text' as const),
  words: fc.array(
    fc.constantFrom(
      ...vocabulary.filter((word) => !word.includes('-')),
      'comp',
      'u',
      'robot',
      'robots',
      'roboti',
    ),
    {
      minLength: 1,
      maxLength: 2,
    },
  ),
  isPrefix: fc.boolean(),
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;
type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never;

const tokensOf = (text: string) => tokenize(text).map(({ token }) => token);

function holds(own: Fields, { path, words, isPrefix }: Asked): boolean {
  const wanted = words.map((word) => word.toLowerCase());
  return [own[path] ?? []].flat().some((text) => {
    const tokens = tokensOf(text);
    return wanted.every((word, i) =>
      tokens.some((token) => (isPrefix && i === wanted.length - 1 ? token.startsWith(word) : token === word)),
    );
  });
}

const filterOf = ({ path, words, isPrefix }: Asked): string =>
  `${path}:"${words.join(' ')}"${isPrefix ? '*' : ''}`;

/** As one of before there were marks: its words end without the last two arrays. */
function withoutMarks(snapshot: Snapshot): Snapshot {
  const lexical = snapshot.get('lexical') ?? new Uint8Array(0);
  return new Map(snapshot).set('lexical', withoutLast(withoutLast(lexical)));
}

/** Before an array stands its length. */
function withoutLast(section: Uint8Array): Uint8Array {
  const view = new DataView(section.buffer, section.byteOffset, section.byteLength);
  for (let bytes = 1; ; bytes += 1) {
    const end = section.length - 8 - bytes - (-bytes & 7);
    if (view.getFloat64(end, true) === bytes) return section.slice(0, end);
  }
}

function decoded(snapshot: Snapshot): SearchIndex {
  const made = fromSnapshot(snapshot, smallSettings);
  if ('refused' in made) throw new Error(made.refused);
  return made.index;
}

it('finds what a reading of each text finds, also after snapshots with marks and without, and beside documents that came later', () => {
  const documents = fc.array(fields, { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      documents,
      documents,
      fc.array(asked, { minLength: 1, maxLength: 5 }),
      (first, late, asks) => {
        const puts = (all: Fields[], from: number) => all.map((each, i) => document(`${from + i}`, each));
        // A filter names fields that there are.
        const index = indexOf([document('0', { title: 'any', text: 'any' }), ...puts(first, 100)]);
        const snapshot = snapshotOf(index);
        for (const each of [index, decoded(snapshot), decoded(withoutMarks(snapshot))]) {
          each.apply({ version: 2, puts: puts(late, 101), deletes: [] });
          const all = new Map([
            ...first.map((own, i) => [`${100 + i}`, own] as const),
            ...late.map((own, i) => [`${101 + i}`, own] as const),
          ]);
          for (const ask of asks) {
            const expected = [...all].filter(([, own]) => holds(own, ask)).map(([id]) => id);
            expect(each.ids(filterOf(ask)), filterOf(ask)).toEqual(expected.sort());
          }
        }
      },
    ),
    { numRuns: 150 },
  );
});
