import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonText, jsonInSteps, MarkedValues, toJsonBytes } from './json-text.ts';

const textOf = (value: unknown) => new JsonText(Buffer.from(JSON.stringify(value)));
const read = (body: string | Uint8Array) => JSON.parse(Buffer.from(body).toString());

test('a value with texts in it is written as JSON writes it', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue().map((plain) => ({ plain, mixed: plain })),
      fc.jsonValue().map((plain) => ({ plain, mixed: textOf(plain) })),
      fc
        .dictionary(
          fc.string({ unit: 'binary' }),
          tie('value') as fc.Arbitrary<{ plain: unknown; mixed: unknown }>,
        )
        .map((fields) => ({
          plain: Object.fromEntries(Object.entries(fields).map(([name, { plain }]) => [name, plain])),
          mixed: Object.fromEntries(Object.entries(fields).map(([name, { mixed }]) => [name, mixed])),
        })),
      fc
        .array(tie('value') as fc.Arbitrary<{ plain: unknown; mixed: unknown }>)
        .map((items) => ({ plain: items.map(({ plain }) => plain), mixed: items.map(({ mixed }) => mixed) })),
    ),
  }));
  fc.assert(
    fc.property(value, (each) => {
      const { plain, mixed } = each as { plain: unknown; mixed: unknown };
      expect(Buffer.from(toJsonBytes(mixed)).toString()).toBe(JSON.stringify(plain));
      expect(JSON.stringify(mixed)).toBe(JSON.stringify(plain));
    }),
  );
});

test('the text goes out byte for byte', () => {
  const bytes = Buffer.from('{"a" : 1.0, "ü":"\\u00fc"}');
  expect(Buffer.from(toJsonBytes({ document: new JsonText(bytes) })).toString()).toBe(
    '{"document":{"a" : 1.0, "ü":"\\u00fc"}}',
  );
});

test('a value that cannot be written leaves nothing behind', () => {
  const circle: unknown[] = [textOf(1)];
  circle.push(circle);
  expect(() => toJsonBytes(circle)).toThrow('circular');
  expect(read(toJsonBytes([textOf(2)]))).toEqual([2]);
  expect(JSON.stringify(textOf({ a: 3 }))).toBe('{"a":3}');
});

test('large texts are copied with a pause after each megabyte', () => {
  const values = Array.from({ length: 20 }, (_, i) => `${i}${'é'.repeat(150_000)}`);
  const steps = jsonInSteps(values.map(textOf));
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  expect(read(step.value)).toEqual(values);
  // A megabyte and more is every fourth.
  expect(pauses).toBe(5);
});

test('marked values stand where others have put their marks', () => {
  const values = new MarkedValues();
  const outputs = [{ hits: textOf(['a']), n: 1 }, 'plain', null, { nested: [textOf(2), textOf({ b: 3 })] }];
  const marks = outputs.map((output) => values.mark(output));
  expect(JSON.stringify(marks).length).toBeLessThan(outputs.length * 32);
  const first = values.fill(JSON.stringify({ result: marks.slice(0, 3) }));
  const second = values.fill(JSON.stringify(marks.slice(3)));
  expect([first, second].map((text) => Buffer.from(text).toString())).toEqual([
    JSON.stringify({ result: outputs.slice(0, 3) }),
    JSON.stringify(outputs.slice(3)),
  ]);
  expect(values.mark(undefined)).toBeUndefined();
  expect(() => values.fill(JSON.stringify(marks))).toThrow('stands for nothing');
});
