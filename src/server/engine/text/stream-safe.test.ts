import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/runs.ts';
import { fold, foldBeginning } from './fold.ts';
import { joiningMax, normalisablePieces, pieceUnitsMax, streamSafe } from './stream-safe.ts';

const isJoining = (character: string): boolean => {
  const run = character.repeat(joiningMax + 1);
  return streamSafe(run) !== run;
};

/** Every code point in a block that has characters, surrogates left out. */
function* characters(): Generator<string> {
  for (let code = 0; code < 0xe1000; code += 1) {
    if (code === 0xd800) code = 0xe000;
    if (code === 0x33500) code = 0xe0000;
    yield String.fromCodePoint(code);
  }
}

describe('runs of marks', () => {
  const marks = '\u0301\u0323'.repeat(joiningMax / 2);

  it('are cut to 30', () => {
    expect(streamSafe(`a${marks}\u0301\u0323b${marks}\u0301`)).toBe(`a${marks}b${marks}`);
    expect(streamSafe('\u{1d165}\u{1d16d}'.repeat(1_000))).toBe('\u{1d165}\u{1d16d}'.repeat(15));
    expect(streamSafe('ｶﾞ゛ﾞﾟ'.replaceAll('ﾞ', '\uff9e'.repeat(50)))).toHaveLength(1 + 30 + 1 + 30);
  });

  it('of 30 and fewer stay, as does everything else', () => {
    for (const text of [`a${marks}b`, 'x'.repeat(100), 'ㅋ'.repeat(100), '한국어'.repeat(50)])
      expect(streamSafe(text)).toBe(text);
  });
});

describe('pieces', () => {
  /** What the runtime's own tables say, so that characters of a later Unicode are noticed. */
  it('begin where nothing is composed or sorted with what stands before', () => {
    const joining: string[] = [];
    const composed = new Set<string>();
    const others: string[] = [];
    for (const character of characters()) {
      if (isJoining(character)) joining.push(character);
      const [, ...later] = character.normalize('NFD');
      for (const each of later) composed.add(each);
      const upper = character.toUpperCase();
      const forms = [
        character.normalize('NFC'),
        character.normalize('NFD'),
        character.toLowerCase(),
        upper.toLowerCase(),
      ];
      // A mark of the highest class changes places with every other one.
      const isSorted = !`\u0345${character}`.normalize('NFD').startsWith('\u0345');
      if (isSorted || forms.some((form) => isMarkLike(form))) others.push(character);
    }
    const known = new Set(joining);
    expect([...composed].filter((each) => !known.has(each))).toEqual([]);
    expect(others.filter((each) => !known.has(each))).toEqual([]);
  });

  it('are short, and together the text', () => {
    const text = `${'한국어 '.repeat(3_000)}${'\u0323\u0301'.repeat(20_000)}${'a\u0301\u0323'.repeat(3_000)}${'😀'.repeat(5_000)}`;
    const pieces = [...normalisablePieces(text)];
    expect(pieces.join('')).toBe(streamSafe(text));
    for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(pieceUnitsMax);
  });
});

const isMarkLike = (text: string): boolean =>
  text !== '' && isJoining(String.fromCodePoint(text.codePointAt(0) ?? 0));

/** Folding with the whole text normalised at once. */
function plainFold(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');
}

const character = fc.oneof(
  fc.constantFrom(
    ...'aeßÅΣςİŉΐ',
    '\u0301',
    '\u0323',
    '\u0345',
    '\u0344',
    '\u0f73',
    '\u1100',
    '\u1161',
    '\u11a8',
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
);

it('folds as one normalisation of the whole does, whatever the text, while its runs are within 30', () => {
  const letters = fc.array(character, { maxLength: 60 }).map((each) => each.join(''));
  fc.assert(
    // So many times that the borders of pieces fall everywhere.
    fc.property(letters, fc.integer({ min: 1, max: 400 }), fc.nat(40), (text, times, shift) => {
      const whole = `${'b'.repeat(shift)}${text.repeat(times)}`;
      fc.pre(streamSafe(whole) === whole);
      const folded = fold(whole);
      expect(folded).toBe(plainFold(whole));
      const beginning = foldBeginning(whole, 5_000);
      expect(folded.startsWith(beginning.folded)).toBe(true);
      expect(beginning.isWhole).toBe(folded.length === beginning.folded.length);
      if (!beginning.isWhole) expect(beginning.folded.length).toBeGreaterThan(5_000);
    }),
    { numRuns: runs(2_000) },
  );
});
