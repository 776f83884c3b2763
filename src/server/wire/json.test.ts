import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '#shared/limits.ts';
import { AppError } from '../errors.ts';
import { decodeUtf8, parseJson } from './json.ts';

function faultOf(run: () => unknown): { message: string; path: string; position: number | undefined } {
  try {
    run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('BAD_REQUEST');
    const [detail] = error.details ?? [];
    return { message: error.message, path: detail?.path ?? 'none', position: detail?.position };
  }
  throw new Error('was accepted');
}

describe('what is JSON is read as JSON.parse reads it', () => {
  test('any value, printed any way', () => {
    const value = fc
      .jsonValue({ maxDepth: 6 })
      .filter((item) => !/proto|constructor/.test(JSON.stringify(item)));
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (item, indent) => {
        const text = JSON.stringify(item, null, indent);
        expect(parseJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('duplicate keys: the last wins', () => {
    expect(parseJson('{"a":1,"a":2}')).toEqual({ a: 2 });
  });

  test('the forbidden names are innocent as text, and so are escapes of ordinary characters', () => {
    const value = { note: '__proto__ and constructor', title: 'Zoë', pair: '😀' };
    expect(
      parseJson('{"note":"__proto__ and constructor","title":"Zo\\u00eb","pair":"\\ud83d\\ude00"}'),
    ).toEqual(value);
  });

  test('numbers at the edge of what a double holds', () => {
    expect(parseJson('[1.7e308, -1.7e308, 1e-400, 5e-324]')).toEqual([1.7e308, -1.7e308, 0, 5e-324]);
  });

  test('64 levels', () => {
    expect(() => parseJson('['.repeat(64) + ']'.repeat(64))).not.toThrow();
    expect(() => parseJson(`["${'['.repeat(1_000)}"]`)).not.toThrow();
  });
});

describe('broken JSON says where', () => {
  test.each([
    ['', 0],
    ['{"a":}', 5],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a":1}x', 7],
    ['{"a":1} {"b":2}', 8],
    ['[NaN]', 1],
    ['[Infinity]', 1],
    ['[01]', 2],
    ['[1.]', 2],
    ['["abc', 1],
    ['["a\nb"]', 3],
    ['["\\x"]', 2],
    ['["\\u12g4"]', 2],
    ["{'a':1}", 1],
    ['[1', 2],
    ['nul', 0],
  ])('%j at %i', (text, position) => {
    expect(faultOf(() => parseJson(text)).position).toBe(position);
  });

  test('names line and column when there are several lines', () => {
    expect(faultOf(() => parseJson('{\n  "a": 1,\n  b: 2\n}')).message).toContain('line 3, column 3');
  });

  test('whatever is cut off or damaged, the fault is found and lies within the text', () => {
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 4 }),
        fc.nat(),
        fc.constantFrom('', '\u0001', '}', ',', '"', 'x'),
        (json, cut, extra) => {
          const at = cut % (json.length + 1);
          const text = json.slice(0, at) + extra + json.slice(at + 1);
          let isBroken = false;
          try {
            JSON.parse(text);
          } catch {
            isBroken = true;
          }
          if (!isBroken) return;
          const { position } = faultOf(() => parseJson(text));
          expect(position).toBeGreaterThanOrEqual(0);
          expect(position).toBeLessThanOrEqual(text.length);
        },
      ),
    );
  });
});

describe('what would hurt further in is refused with its path', () => {
  test.each([
    ['{"a":[{"__proto__":{"b":1}}]}', 'a.0.__proto__'],
    ['{"constructor":1}', 'constructor'],
    ['{"x":{"prototype":1}}', 'x.prototype'],
    ['{"x":{"__pr\\u006fto__":1}}', 'x.__proto__'],
    ['{"a":{"b":"x\\u0000y"}}', 'a.b'],
    ['{"a":["ok","\\ud800"]}', 'a.1'],
    ['{"a":"\\udc00\\ud800"}', 'a'],
    ['{"a":1e400}', 'a'],
    ['{"a":[-1E+999]}', 'a.0'],
    [`{"a":${'9'.repeat(400)}}`, 'a'],
    [`{"a":${'9'.repeat(250)}e99}`, 'a'],
    ['{"a\\u0000b":1}', '"a\\u0000b"'],
    ['{"a":"raw \ud800"}', 'a'],
  ])('%j', (text, path) => {
    expect(faultOf(() => parseJson(text)).path).toBe(path);
  });

  test('the path starts with what the caller calls the text', () => {
    expect(faultOf(() => parseJson('{"a":1e400}', { path: 'input' })).path).toBe('input.a');
    expect(faultOf(() => parseJson('{', { path: 'input' })).message).toMatch(/^input: Broken JSON/);
  });

  test('nothing is assigned to a prototype on the way', () => {
    faultOf(() => parseJson('{"__proto__":{"polluted":true}}'));
    expect('polluted' in {}).toBe(false);
  });

  test('5,000 levels, 65 levels, and a million open brackets that never close', () => {
    for (const text of ['['.repeat(5_000) + ']'.repeat(5_000), '{"a":'.repeat(65), '['.repeat(1_000_000)]) {
      expect(faultOf(() => parseJson(text)).message).toContain('64 levels');
    }
  });

  test('swarms of keys, and a key of 64 KB', () => {
    const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join()}}`;
    const list = (...counts: number[]) => `[${counts.map(fields).join()}]`;
    expect(faultOf(() => parseJson(fields(10_001))).message).toContain('10000 fields in one object');
    const tenThousand = Array.from({ length: 10 }, () => 10_000);
    expect(faultOf(() => parseJson(list(...tenThousand, 1))).message).toContain('100000 fields');
    expect(parseJson(list(...tenThousand))).toHaveLength(10);
    expect(parseJson(`{"a":${fields(9_999)},"b":${fields(10_000)}}`)).toHaveProperty('b');
    expect(faultOf(() => parseJson(`{"${'k'.repeat(65_536)}":1}`)).message).toContain('1024 characters');
  });
});

describe('the counts of a text', () => {
  const open = '['.repeat(limits.jsonDepthMax);
  const deep = `${open}${']'.repeat(limits.jsonDepthMax)}`;

  test.each(['', '"', '\\', '\\"', '"\\', '\\\\', '\\\\"'])(
    'leave out what stands in a string that ends in %j, and take in what stands behind it',
    (end) => {
      const innocent = [`${open}${end}`, `${end}${open}`];
      expect(parseJson(JSON.stringify(innocent))).toEqual(innocent);
      expect(faultOf(() => parseJson(`[${JSON.stringify(end)},${deep}]`)).message).toContain('64 levels');
    },
  );

  test('allow as many values as may be, however they are spaced, and no more', () => {
    const list = (items: number) => `[ ${'1 , '.repeat(items - 1)}1 ]`;
    // The list itself is one.
    const most = limits.jsonValuesMax - 1;
    expect(parseJson(list(most))).toHaveLength(most);
    expect(faultOf(() => parseJson(list(most + 1))).message).toContain('200000 values');
  });

  test('allow a name as long as may be, and none longer', () => {
    const named = (length: number) => `{"${'k'.repeat(length)}":1}`;
    expect(parseJson(named(limits.jsonKeyCharactersMax))).toEqual({ ['k'.repeat(1_024)]: 1 });
    const { message } = faultOf(() => parseJson(named(limits.jsonKeyCharactersMax + 1)));
    expect(message).toContain('1024 characters');
  });
});

test('bytes that are not UTF-8 are refused, not replaced', () => {
  expect(decodeUtf8(new TextEncoder().encode('\uFEFFnaïve'))).toBe('naïve');
  // One mark says what the bytes are; a second one is part of the text, and no JSON.
  expect(() => parseJson(decodeUtf8(new TextEncoder().encode('\uFEFF\uFEFF{}')))).toThrow('Broken JSON');
  for (const bytes of [[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xe2, 0x82]]) {
    expect(faultOf(() => decodeUtf8(Uint8Array.from(bytes))).message).toContain('UTF-8');
  }
});
