import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '#shared/limits.ts';
import { AppError } from '../errors.ts';
import { parseJson } from './json.ts';
import { JsonBody } from './json-body.ts';
import { parseInTurns } from './parse-in-turns.ts';

/** A body in pieces that end at these places. */
function parseInPieces(bytes: Uint8Array, cuts: number[], valuesMax = limits.jsonValuesMax): unknown {
  const body = new JsonBody(valuesMax);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  for (const [i, place] of places.slice(1).entries()) body.push(bytes.subarray(places[i], place));
  return body.parse();
}

/** The value, or what is said of the fault. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return { value: run() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}

const encode = (text: string) => new TextEncoder().encode(text);
const cuts = fc.array(fc.nat(), { maxLength: 12 });
const text = fc
  .tuple(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t', '\r\n'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
/** What damage is made of: all that means something, in JSON or to a reader. */
const scrap = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '\\u',
    '\\u00',
    '\\ud83d',
    '-',
    '+',
    '.',
    'e',
    'E9',
    '0',
    '01',
    '1.',
    '1e400',
  ],
  ...[
    'true',
    'nul',
    ' ',
    '\n',
    '\r\n',
    '\u0001',
    '\u0000',
    '\u00e9',
    '\u20ac',
    '\ud83d\ude00',
    '\ufeff',
    '"a":',
    '__proto__',
    "'",
  ],
  ...['"__proto__":1', '"\\u005f_proto__":1', '"constructor":', '"\\u0000"', '/', '\\x', '\u007f'],
);

describe('a body in pieces', () => {
  test('is what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(text, cuts, (json, places) => {
        fc.pre(!/proto|constructor/.test(json));
        expect(parseInPieces(encode(json), places)).toEqual(JSON.parse(json));
        expect(parseInPieces(encode(`\ufeff${json}`), places)).toEqual(JSON.parse(json));
      }),
      { numRuns: 500 },
    );
  });

  test('however it is damaged, is taken or refused as the whole text is, in the same words', () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.nat(3), scrap), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, damage, cuts, (json, changes, places) => {
        let damaged = json;
        for (const [place, length, extra] of changes) {
          const at = place % (damaged.length + 1);
          damaged = damaged.slice(0, at) + extra + damaged.slice(at + length);
        }
        damaged = damaged.toWellFormed();
        // A mark at the beginning is dropped with the bytes, and counts in a text.
        fc.pre(!damaged.startsWith('\ufeff'));
        expect(outcomeOf(() => parseInPieces(encode(damaged), places))).toEqual(
          outcomeOf(() => parseJson(damaged)),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  test('cut off anywhere, says so in the same words', () => {
    const json = '\ufeff {"a":[-1.5e+3,true,false,null,"x\\n\\u00e9é😀"],"b":{"c":{}, "d" : [ ]}}\n';
    for (let end = 4; end < encode(json).length; end += 1) {
      const bytes = encode(json).subarray(0, end);
      const whole = outcomeOf(() => parseJson(new TextDecoder('utf-8').decode(bytes)));
      // Half a character is a fault of its own.
      if (new TextDecoder().decode(bytes).includes('\ufffd')) continue;
      expect(outcomeOf(() => parseInPieces(bytes, [end >> 1, end - 1]))).toEqual(whole);
    }
  });

  test.each(['/', ':', '@', 'G', '`', 'g', '\uff11'])('an escape with %s for a digit is refused', (digit) => {
    for (const digits of ['0000', '000', '00', '0'].map(
      (zeros, i) => zeros.slice(1) + digit + '0'.repeat(i),
    )) {
      const bytes = encode(`["\\u${digits}"]`);
      const whole = outcomeOf(() => parseJson(`["\\u${digits}"]`));
      expect(whole).toMatchObject({ message: expect.stringContaining('four hexadecimal digits') });
      for (const cut of [0, 4, 6]) expect(outcomeOf(() => parseInPieces(bytes, [cut]))).toEqual(whole);
    }
  });

  test('bytes that are not UTF-8, before and behind a fault; two byte order marks', () => {
    const bytes = Uint8Array.of(...encode('["'), 0xff, ...encode('"]'));
    expect(outcomeOf(() => parseInPieces(bytes, [3]))).toMatchObject({ message: 'This is not valid UTF-8' });
    expect(outcomeOf(() => parseInPieces(encode('\ufeff\ufeff{}'), [2, 4]))).toMatchObject({
      message: 'Broken JSON at position 0: expected a value, found "\ufeff"',
    });
    for (const bytes of [[0xef], [0xef, 0xbb], [0xef, 0xbb, 0x7b, 0x7d]]) {
      expect(outcomeOf(() => parseInPieces(Uint8Array.from(bytes), [1]))).toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  });
});

/** An object of so many fields. */
const objectOf = (fields: number) => `{${Array.from({ length: fields }, (_, i) => `"k${i}":1`).join()}}`;

describe('what a body may have', () => {
  test('values are counted while they arrive, and what follows the fault is not looked at', () => {
    const body = new JsonBody(1_000);
    const chunk = encode('[],'.repeat(20_000));
    body.push(encode('{"query":"x","q":['));
    for (let i = 0; i < 160; i += 1) body.push(chunk);
    body.push(Uint8Array.of(0xff));
    expect(outcomeOf(() => body.parse())).toEqual({
      code: 'BAD_REQUEST',
      message: 'More than 1000 values',
      details: [{ path: '', message: 'More than 1000 values', position: 18 + 3 * 498 }],
    });
  });

  test('megabytes of escapes, of digits and of plain text, in pieces', () => {
    const long = 3_000_000;
    for (const [json, value] of [
      [`["${'\\u0041'.repeat(long / 6)}"]`, ['A'.repeat(long / 6)]],
      [`["${'é\\n'.repeat(long / 6)}x"]`, [`${'é\n'.repeat(long / 6)}x`]],
      [`[0.${'1'.repeat(long)}]`, [1 / 9]],
    ] as const) {
      const bytes = encode(json);
      const cuts = Array.from({ length: Math.floor(bytes.length / 65_536) }, (_, i) => i * 65_536 + 1);
      expect(parseInPieces(bytes, cuts)).toEqual(value);
    }
  });

  test.each([
    ['values', `[${'1,'.repeat(limits.jsonValuesMax)}1]`],
    ['levels', '['.repeat(65)],
    ['levels', '{"a":'.repeat(65)],
    ['a name', `{"${'é'.repeat(1_025)}":1}`],
    ['a name', `{"${'\\u00e9'.repeat(171)}":1}`],
    ['fields', `[${Array.from({ length: 10 }, () => objectOf(10_000)).join()},{"k":1}]`],
    ['fields of one object', objectOf(10_001)],
    ['fields of one object', `{"a":${objectOf(10_000)},"b":[${objectOf(10_001)}]}`],
  ])('too many %s are refused in the same words, whole or in pieces', (_, json) => {
    const whole = outcomeOf(() => parseJson(json));
    expect(whole).toMatchObject({ code: 'BAD_REQUEST', details: [{ position: expect.any(Number) }] });
    expect(outcomeOf(() => parseInPieces(encode(json), [7, 500, 600]))).toEqual(whole);
  });

  test('a name of 1,024 characters, 10,000 fields and 64 levels are taken', () => {
    const nested = `{"a":${objectOf(9_999)},"b":[${objectOf(10_000)}]}`;
    for (const json of [nested, `{"${'😀'.repeat(512)}":1}`, '['.repeat(64) + ']'.repeat(64)]) {
      expect(parseInPieces(encode(json), [3, 900])).toEqual(JSON.parse(json));
    }
  });
});

describe('a long text that is worked on in turns', () => {
  test('has a turn for each 64 KB, and is what it is at once', async () => {
    let turns = 0;
    const turn = async () => {
      turns += 1;
    };
    const value = { words: Array.from({ length: 20_000 }, (_, i) => `wörd ${i} 😀`), n: -1.5e-3 };
    const text = JSON.stringify(value, null, 1);
    expect(await parseInTurns(text, turn)).toEqual(value);
    expect(turns).toBe(Math.ceil(text.length / 65_536));
    turns = 0;
    expect(await parseInTurns('{"a":[1]}', turn)).toEqual({ a: [1] });
    expect(turns).toBe(0);
  });

  test('is refused in the same words', async () => {
    const long = 'x'.repeat(100_000);
    for (const text of [
      `{"a":"${long}","b":1,}`,
      `{"a":"${long}",\n"__proto__":1}`,
      `{"a":"${long}","b":"\\u0000"}`,
      `{"a":"${long}`,
    ]) {
      const inTurns = await parseInTurns(text, async () => undefined).then(
        (value) => ({ value }),
        (error: AppError) => ({ code: error.code, message: error.message, details: error.details }),
      );
      expect(inTurns).toEqual(outcomeOf(() => parseJson(text)));
      expect(inTurns).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});
