import fc from 'fast-check';
import type { JsonSchema } from '#server/rest/json-schema.ts';
import { searchFields } from './search-fields.ts';

/** Texts that mean something to some field, so that what is random comes further than to its schema. */
const words = [
  '1',
  '2',
  'Films',
  'metropolis',
  '*',
  'title',
  'year',
  'title,year',
  'year:>0',
  'title:[metropolis, 2]',
  'year:asc',
  '_score:desc',
  'id',
  'standing',
  'embedding:([0.1, 0.2], k:3)',
  'at:(50, 14, 100 km)',
  '!at:(0, 180, 20000 mi) || at:(-90, 170, 10, 170, 10, -170)',
  'at(50, 14):desc',
  'true',
  '2026-01-02T03:04:05Z',
];

const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '%',
  '../x',
  '__proto__',
  'constructor',
  '<script>',
  "' or 1=1 --",
  '&&',
  'a:',
  '((((',
  '9'.repeat(40),
  '-1',
  '1e999',
  'x'.repeat(5_000),
  '\u202e',
  '🙈'.repeat(100),
];

/** What nobody should send. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(...hostileTexts),
  fc.constantFrom<unknown[]>(
    null,
    true,
    0,
    -1,
    0.5,
    2 ** 31,
    2 ** 53,
    -(2 ** 63),
    1e300,
    [],
    {},
    [[]],
    [null],
  ),
  fc.constantFrom<unknown[]>([50, 14], { lat: -90, lng: 180 }, [[0, -180], { lat: 90.1, lng: 0 }]),
  fc.constantFrom<unknown[]>(JSON.parse('{"__proto__": 1}'), nested(30), nested(100), Array(2_000).fill(1)),
  fc.jsonValue({ maxDepth: 3 }),
);

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}

const lengthMax = 300;
const itemsMax = 5;

/** Values that a schema of the API's description takes: not each of them is one for which there is something to answer. */
function arbitraryOf(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => arbitraryOf(one)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => ofType(type, schema)));
  return ofType(schema.type, schema);
}

/** Of a field by its name too, where what it takes is a language of its own. */
export function arbitraryOfField(name: string, schema: JsonSchema): fc.Arbitrary<unknown> {
  const own = Object.hasOwn(searchFields, name) ? searchFields[name] : undefined;
  const any = arbitraryOf(schema);
  return own ? fc.oneof({ weight: 2, arbitrary: own }, { weight: 1, arbitrary: any }) : any;
}

function ofType(type: unknown, schema: JsonSchema): fc.Arbitrary<unknown> {
  if (type === 'string') return text(schema);
  if (type === 'integer') return whole(schema);
  if (type === 'number') return fraction(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array') return list(schema);
  if (type === 'object') return object(schema);
  return fc.jsonValue({ maxDepth: 2 });
}

function text({ minLength = 0, maxLength = lengthMax, pattern, format }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) return fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 5 }));
  const most = Math.max(minLength, Math.min(maxLength, lengthMax));
  const fitting = words.filter((word) => word.length >= minLength && word.length <= maxLength);
  const random = fc.oneof(
    fc.string({ minLength, maxLength: most }),
    fc.string({ minLength, maxLength: Math.max(minLength, Math.min(most, 12)), unit: 'grapheme' }),
    fc.constant('a'.repeat(Math.max(minLength, Math.min(maxLength, 100_000)))),
  );
  return fitting.length === 0
    ? random
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: random });
}

function whole({ minimum = -(2 ** 40), maximum = 2 ** 40 }: JsonSchema): fc.Arbitrary<number> {
  const [min, max] = [Math.ceil(minimum), Math.floor(maximum)];
  return fc.oneof(
    fc.integer({ min, max: Math.min(max, min + 20) }),
    fc.maxSafeInteger().map(within(min, max)),
  );
}

const within = (min: number, max: number) => (value: number) => Math.min(max, Math.max(min, value));

function fraction({ minimum = -1e6, maximum = 1e6 }: JsonSchema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }),
  );
}

function list({ items, minItems = 0, maxItems = itemsMax }: JsonSchema): fc.Arbitrary<unknown[]> {
  const item =
    typeof items === 'object' && !Array.isArray(items) ? arbitraryOf(items as JsonSchema) : hostileValue;
  return fc.array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, itemsMax)) });
}

function object({ properties = {}, required = [], additionalProperties }: JsonSchema): fc.Arbitrary<object> {
  const own = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      arbitraryOfField(name, typeof schema === 'object' ? (schema as JsonSchema) : {}),
    ]),
  );
  const known = fc.record(own, { requiredKeys: required.filter((name) => name in own) });
  if (additionalProperties === undefined || additionalProperties === false) return known;
  const values =
    additionalProperties === true ? hostileValue : arbitraryOf(additionalProperties as JsonSchema);
  const named = fc.oneof(fc.constantFrom('title', 'year', 'id', 'tags', 'at'), fc.string({ maxLength: 10 }));
  const placed = fc.record({ at: arbitraryOfField('at', {}) }, { requiredKeys: [] });
  return fc
    .tuple(known, fc.dictionary(named, values, { maxKeys: 4 }), placed)
    .map(([fields, more, place]) => ({ ...more, ...place, ...fields }));
}
