import fc from 'fast-check';

/** What people type, of words that documents hold: these, with typos, joined, unfinished, absent ones, phrases and exclusions. */
export function typedWords(held: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const other = 'rivr hose stonemasn stnemasn hou r the absent redwine oldhouses'.split(' ');
  const demands = ['"old house"', '"red"', '"wine wine"', '-river', '-"old house"', '-absent', '"the', '-'];
  return fc.oneof(
    { weight: 4, arbitrary: held },
    { weight: 1, arbitrary: fc.constantFrom(...other) },
    { weight: 1, arbitrary: fc.constantFrom(...demands) },
  );
}
