import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { TextCursor } from '../text-cursor.ts';
import {
  type FilterArea,
  type FilterNode,
  type FilterOperand,
  type FilterValue,
  printFilter,
} from './filter-ast.ts';
import { filterLimits, parseFilter } from './filter-parser.ts';

function parsed(text: string): FilterNode {
  const { filter, diagnostics } = parseFilter(text);
  if (filter === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return filter;
}

/** The tree without its positions, which printing does not keep. */
const withoutPositions = (node: FilterNode): unknown =>
  JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === 'position' ? undefined : value)));

const value = (text: string, position: number): FilterValue => ({ text, position });
const one = (text: string, position: number, isPrefix = false): FilterOperand => ({
  kind: 'value',
  value: value(text, position),
  isPrefix,
});

describe('the grammar', () => {
  test('"and" binds before "or", parentheses before both', () => {
    expect(printFilter(parsed('a:1 || b:2 && !c:3'))).toBe('a:1 || b:2 && !c:3');
    expect(parsed('a:1 || b:2 && c:3')).toMatchObject({ kind: 'or', children: [{}, { kind: 'and' }] });
    expect(parsed('(a:1 || b:2) && c:3')).toMatchObject({ kind: 'and', children: [{ kind: 'or' }, {}] });
  });

  test.each<[string, FilterNode]>([
    ['price:>=10', { kind: 'compare', path: 'price', position: 0, operator: '>=', value: value('10', 8) }],
    ['tags:=old', { kind: 'match', path: 'tags', position: 0, operator: ':=', operands: [one('old', 6)] }],
    [
      'name : New York ',
      { kind: 'match', path: 'name', position: 0, operator: ':', operands: [one('New York', 7)] },
    ],
    [
      'name:=Acm*',
      { kind: 'match', path: 'name', position: 0, operator: ':=', operands: [one('Acm', 6, true)] },
    ],
    [
      'name:"A B"*',
      { kind: 'match', path: 'name', position: 0, operator: ':', operands: [one('A B', 5, true)] },
    ],
    ['name:"*"', { kind: 'match', path: 'name', position: 0, operator: ':', operands: [one('*', 5)] }],
    ['author.name:*', { kind: 'exists', path: 'author.name', position: 0 }],
    ['x:!=*', { kind: 'not', child: { kind: 'exists', path: 'x', position: 0 } }],
    [
      'price:[10..50]',
      {
        kind: 'match',
        path: 'price',
        position: 0,
        operator: ':',
        operands: [{ kind: 'range', from: value('10', 7), to: value('50', 11) }],
      },
    ],
    [
      'brand:!=[Acme, "B, C"]',
      {
        kind: 'match',
        path: 'brand',
        position: 0,
        operator: ':!=',
        operands: [one('Acme', 9), one('B, C', 15)],
      },
    ],
    [
      'n:[..1.5, 7..]',
      {
        kind: 'match',
        path: 'n',
        position: 0,
        operator: ':',
        operands: [
          { kind: 'range', from: null, to: value('1.5', 5) },
          { kind: 'range', from: value('7', 10), to: null },
        ],
      },
    ],
    [
      'at:>2024-01-01 10:30:00',
      { kind: 'compare', path: 'at', position: 0, operator: '>', value: value('2024-01-01 10:30:00', 4) },
    ],
    [
      'url:https://a.b/c?d=e&f=g',
      { kind: 'match', path: 'url', position: 0, operator: ':', operands: [one('https://a.b/c?d=e&f=g', 4)] },
    ],
  ])('%s', (text, expected) => {
    expect(parseFilter(text)).toEqual({ filter: expected, diagnostics: [] });
  });

  test.each([
    ['a:"say \\"hi\\" \\\\ \'x\'"', 'say "hi" \\ \'x\''],
    ["a:'it\\'s'", "it's"],
    ['a:`C:\\dir ``x```', 'C:\\dir `x`'],
    ['a:C:\\dir', 'C:\\dir'],
    ['a:O\'Brien "Bob"', 'O\'Brien "Bob"'],
    ['a:""', ''],
    ['a:"a && b || (c)"', 'a && b || (c)'],
  ])('escapes: %s', (text, expected) => {
    expect(parsed(text)).toMatchObject({ operands: [{ value: { text: expected } }] });
  });

  test('an empty filter is no filter and no fault', () => {
    expect(parseFilter(' \n')).toEqual({ filter: null, diagnostics: [] });
  });
});

describe('faults', () => {
  test.each([
    ['price', 5, 'expected ":"'],
    ['price:', 6, 'expected a value'],
    ['price:>', 7, 'expected a value'],
    [':5', 0, 'expected a field name'],
    ['a:1 &&', 6, 'expected a field name'],
    ['a:1 && || b:2', 7, 'expected a field name'],
    ['(a:1', 4, '"(" at position 0'],
    ['a:1)', 3, 'closes nothing'],
    ['a:[1, 2', 7, 'expected "," or "]"'],
    ['a:[]', 3, 'expected a value'],
    ['a:[1..2', 7, 'expected "," or "]"'],
    ['a:[..]', 5, 'expected a value'],
    ['a:[x*..y]', 5, 'a range has no prefixes'],
    ['a:"open', 7, 'closing " for the one at position 2'],
    ['price:>10 brand:Acme', 10, 'expected && or ||'],
    ['a:!b', 2, 'stands before the field'],
    ['a:* b', 4, 'expected && or ||'],
    ['a:foo (bar)', 6, 'in quotes'],
  ])('%s', (text, position, message) => {
    const { filter, diagnostics } = parseFilter(text);
    expect(filter).toBeNull();
    expect(diagnostics).toEqual([{ position, message: expect.stringContaining(message) }]);
  });

  test('10,000 parentheses or negations, more than 1,000 conditions', () => {
    const tooMany = [
      `${'('.repeat(10_000)}a:1${')'.repeat(10_000)}`,
      `${'!'.repeat(10_000)}a:1`,
      Array.from({ length: filterLimits.conditions + 1 }, (_, i) => `a:${i}`).join(' || '),
      `a:[${Array.from({ length: filterLimits.conditions + 1 }, (_, i) => i).join(',')}]`,
      Array.from({ length: filterLimits.conditions + 1 }, () => 'a:(0, 0, 1 km)').join(' && '),
    ];
    for (const text of tooMany) {
      const { filter, diagnostics } = parseFilter(text);
      expect(filter).toBeNull();
      expect(diagnostics[0]?.message).toContain('at most');
    }
  });

  test('the limits themselves are allowed', () => {
    const { conditions, depth } = filterLimits;
    expect(
      parseFilter(`a:[${Array.from({ length: conditions }, (_, i) => i).join(',')}]`).filter,
    ).not.toBeNull();
    expect(parseFilter(`${'('.repeat(depth)}a:1${')'.repeat(depth)}`).filter).not.toBeNull();
  });
});

// Pieces of the grammar in any order come far deeper into the parser than random characters.
const piece = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...'a|b.c|id|:|:=|:!=|:>|:>=|:<|:<=|[|]|(|)|&&|!|,|..|*|"|\'|`|\\|10|-1.5|2024-01-01| |x y|é|😀|\ud800'.split(
        '|',
      ),
      '||',
      '|',
      '(1, 2, 5 km)',
      ':(1,2,-3.5,4,5,1e1)',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
);
const anyText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));

test('never throws; a fault lies inside the text; what parses prints and parses to the same tree', () => {
  let parsedCount = 0;
  fc.assert(
    fc.property(anyText, (text) => {
      const { filter, diagnostics } = parseFilter(text);
      for (const { position, message } of diagnostics) {
        expect(Number.isInteger(position) && position >= 0 && position <= text.length).toBe(true);
        expect(message).toMatch(/expected/);
      }
      if (filter === null) return;
      parsedCount++;
      expect(diagnostics).toEqual([]);
      expect(withoutPositions(parsed(printFilter(filter)))).toEqual(withoutPositions(filter));
    }),
    { numRuns: 20_000 },
  );
  expect(parsedCount).toBeGreaterThan(100);
});

const word = fc.oneof(
  fc.constantFrom(
    'a',
    '10',
    '-1.5',
    '2024-01-01',
    'a..b',
    '*',
    'x*',
    '"',
    '`',
    '\\',
    'a b',
    ' ',
    '',
    '!',
    '&&',
    ']',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const anyValue = word.map((text) => value(text, 0));
const path = word.filter((text) => text !== '');
const operand: fc.Arbitrary<FilterOperand> = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), value: anyValue, isPrefix: fc.boolean() }),
  fc
    .tuple(fc.option(anyValue), fc.option(anyValue))
    .filter(([from, to]) => from !== null || to !== null)
    .map(([from, to]) => ({ kind: 'range' as const, from, to })),
);
const position = fc.constant(0);
const degrees = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
const area: fc.Arbitrary<FilterArea> = fc.oneof(
  fc.record({
    kind: fc.constant('circle' as const),
    center: fc.record({ lat: degrees(90), lng: degrees(180) }),
    radius: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    unit: fc.constantFrom('km' as const, 'mi' as const, 'm' as const),
  }),
  degrees(90).map((lat) => ({
    kind: 'polygon' as const,
    corners: [
      { lat, lng: 170 },
      { lat, lng: -170 },
      { lat: lat / 2 + 1, lng: 179.5 },
    ],
  })),
);
const { node } = fc.letrec<{ node: FilterNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.record({
      kind: fc.constant('match' as const),
      path,
      position,
      operator: fc.constantFrom(':' as const, ':=' as const, ':!=' as const),
      operands: fc.array(operand, { minLength: 1, maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('exists' as const), path, position }),
    fc.record({
      kind: fc.constant('compare' as const),
      path,
      position,
      operator: fc.constantFrom('>' as const, '>=' as const, '<' as const, '<=' as const),
      value: anyValue,
    }),
    fc.record({ kind: fc.constant('within' as const), path, position, area }),
    fc.record({ kind: fc.constant('not' as const), child: tie('node') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      children: fc.array(tie('node'), { minLength: 2, maxLength: 4 }),
    }),
  ),
}));

test('every tree survives printing and parsing', () => {
  fc.assert(
    fc.property(node, (tree) => {
      expect(withoutPositions(parsed(printFilter(tree)))).toEqual(withoutPositions(tree));
    }),
    { numRuns: 2_000 },
  );
});

describe('the longest filter there may be', () => {
  const characters = 65_536;
  const filled = (unit: string) => unit.repeat(characters / unit.length);

  test.each([
    ['one quoted value', `a:"${filled('x')}"`],
    ['escapes alone', `a:"${filled('\\\\')}"`],
    ['backticks alone', `a:\`${filled('``')}`],
    ['a value that is not closed', `a:'${filled('x')}`],
    ['one plain value', `a:${filled('x')}`],
    ['one plain value of words', `a:${filled('x ')}`],
    ['colons alone', `a:${filled('1:')}`],
    ['space alone', `a:1${filled(' ')}b`],
    ['one name', `${filled('x')}:1`],
    ['operators alone', filled('&|')],
    ['dots in a list', `a:[${filled('.,')}]`],
    ['stars in a list', `a:[${filled('*')}]`],
    ['negations alone', filled('!')],
    ['a polygon', `a:(${filled('1,2,')}`],
    ['a point far away', `a:(${filled('1')}, 2, 5 km)`],
  ])('is read a few times over, not more: %s', (_, text) => {
    const peek = vi.spyOn(TextCursor.prototype, 'peek');
    const accept = vi.spyOn(TextCursor.prototype, 'accept');
    try {
      parseFilter(text);
      expect(peek.mock.calls.length + accept.mock.calls.length).toBeLessThan(8 * text.length);
    } finally {
      vi.restoreAllMocks();
    }
  });
});
