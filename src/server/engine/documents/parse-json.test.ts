import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '../steps.ts';
import { runs } from '../testing/runs.ts';
import { parseJson } from './parse-json.ts';

/** What comes of it: the value as it is written again, names in their order, or that it is refused. */
function outcomeOf(parse: () => unknown): unknown {
  try {
    const value = parse();
    return { value, written: JSON.stringify(value) };
  } catch (error) {
    return { refused: error instanceof SyntaxError };
  }
}

function same(text: string, unitsMax: number): void {
  expect(outcomeOf(() => runSteps(parseJson(text, unitsMax)))).toEqual(outcomeOf(() => JSON.parse(text)));
}

describe('JSON that is parsed in steps', () => {
  it('is what it is parsed at once, however it is cut and spaced', () => {
    const name = fc.oneof(
      fc.constantFrom('__proto__', '1', '0', 'a', 'a"b\\', ''),
      fc.string({ unit: 'binary' }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.string({ unit: 'binary' }),
        fc.array(tie('value'), { maxLength: 8 }),
        fc.dictionary(name, tie('value'), { maxKeys: 8 }),
      ),
    }));
    fc.assert(
      fc.property(
        value,
        fc.constantFrom(0, 1, '\t', '\n\r '),
        fc.integer({ min: 1, max: 40 }),
        (each, space, unitsMax) => same(JSON.stringify(each, null, space), unitsMax),
      ),
      { numRuns: runs(1_000) },
    );
  });

  it('is refused where it would be at once', () => {
    const tokens = fc.constantFrom(
      ...'[]{},:" \\',
      '"a"',
      '"b":',
      '1',
      'null',
      '[1,2]',
      '{"a":1}',
      '-',
      '0x',
    );
    fc.assert(fc.property(fc.string({ unit: tokens, maxLength: 14 }), fc.integer({ min: 1, max: 6 }), same), {
      numRuns: runs(5_000),
    });
    for (const cutOff of ['"\\u12"', '"\\u"', '["\\u12"]']) same(cutOff, 1);
    for (const open of ['"\\"', '"', '"a\\\\\\"', '["\\"', '{"a":"\\"}']) same(open, 1);
    const cut = JSON.stringify({ a: [1, 'x"\\', { b: [[], {}, null] }], c: { d: 'e' } });
    for (let length = 0; length <= cut.length; length += 1) same(cut.slice(0, length), 4);
  });

  it('is cut within a string, but not within an escape', () => {
    const unit = fc.constantFrom('a', '"', '\\', '\n', '\u0001', 'é', '\ud83d', '😀');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), fc.integer({ min: 1, max: 12 }), (string, unitsMax) => {
        same(JSON.stringify(string), unitsMax);
        same(JSON.stringify({ a: 1, string }), unitsMax);
      }),
      { numRuns: runs(2_000) },
    );
    const steps = parseJson(JSON.stringify({ text: '\\"'.repeat(200_000) }));
    expect([...steps].length).toBeGreaterThan(10);
  });

  it('of which one member is all, deep down, is cut there', () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => ({ i, text: `row ${i}` }));
    const document = { id: 'a', deep: { deeper: [[{ rows }]] }, last: 1 };
    const steps = parseJson(JSON.stringify(document));
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses += 1;
    expect(step.value).toEqual(document);
    expect(pauses).toBeGreaterThan(10);
  });
});
