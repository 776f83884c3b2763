import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Bitset } from '../../bits/bitset.ts';
import { fieldTexts } from '../../documents/text-fields.ts';
import { LexicalIndex } from '../../lexical/lexical-index.ts';
import { runSteps } from '../../steps.ts';
import { runs } from '../../testing/runs.ts';
import { tokenize } from '../../text/analyzer.ts';
import { WorkBudget } from '../../work-budget.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { checkFilter } from './check-filter.ts';
import { evaluateFilter } from './evaluate-filter.ts';
import { clausesOf, type FilterClause, type FilterNode, type FilterOperand } from './filter-ast.ts';
import { parseFilter } from './filter-parser.ts';
import type { FilterScope } from './filter-scope.ts';

type Document = Record<string, unknown>;

const declared = [
  { name: 'price', type: 'number' as const },
  { name: 'sold', type: 'date' as const },
];

const wordsOf = (text: string): string[] => tokenize(text).map(({ token }) => token);

const idOf = (ordinal: number): string => `doc-${ordinal}`;

function fixtureOf(documents: Document[], removed: number[] = []): FilterScope {
  const columns = new ColumnStore(declared);
  const live = new Bitset(documents.length).fill(documents.length);
  const lexical = new LexicalIndex();
  for (const [ordinal, document] of documents.entries()) {
    runSteps(columns.add(ordinal, { id: idOf(ordinal), ...document }));
    runSteps(lexical.add(ordinal, runSteps(fieldTexts(document))));
  }
  for (const ordinal of removed) {
    runSteps(columns.remove(ordinal));
    runSteps(lexical.forget(ordinal, runSteps(fieldTexts(documents[ordinal] ?? {}))));
    live.remove(ordinal);
  }
  const table: FilterScope['documents'] = {
    idOf,
    ordinalOf: (id) => {
      const ordinal = documents.findIndex((_, each) => idOf(each) === id);
      return ordinal < 0 || !live.has(ordinal) ? undefined : ordinal;
    },
    sourceOf: (ordinal) => JSON.stringify(documents[ordinal]),
    sourceBytesOf: (ordinal) => JSON.stringify(documents[ordinal]).length,
  };
  return { columns, lexical, documents: table, live, budget: new WorkBudget('filter') };
}

const ordinalsOf = (documents: Bitset): number[] => [...runSteps(documents.ordinals())];

function matching(scope: FilterScope, text: string): number[] {
  const { filter, diagnostics } = parseFilter(text);
  if (filter === null) throw new Error(`${text}: ${JSON.stringify(diagnostics)}`);
  return ordinalsOf(runSteps(evaluateFilter(filter, scope)));
}

describe('the operators', () => {
  const fixture = fixtureOf([
    { name: 'Crème Brûlée Torch', price: 45, tags: ['old', 'Red Wine'], author: { name: 'Ann' }, on: true },
    { name: 'CREME torch', price: 4.5, tags: 'new', author: [{ name: 'Bob' }, { name: 'Cy' }], on: false },
    { name: 'Straße 45', price: 50, at: '2024-03-01T12:00:00Z', sold: 1_700_000_000 },
    { name: '4.5', at: '2024-03-02', sold: '2024-01-15T23:59:59Z', mixed: 'five' },
    { mixed: [5, 'five star'], tags: [], nothing: null },
  ]);

  test.each<[string, number[]]>([
    ['name:torch', [0, 1]],
    ['name:"torch crème"', [0, 1]],
    ['name:=creme TORCH', [1]],
    ['name:="Cre\u0300me Bru\u0302le\u0301e torch"', [0]],
    ['name:=strasse 45', [2]],
    ['name:=45', []],
    ['name:=4.5', [3]],
    ['name:BRU*', [0]],
    ['name:brû*', [0]],
    ['name:=bru*', []],
    ['name:torch c*', [0, 1]],
    ['name:=str*', [2]],
    ['name:!=4.5', [0, 1, 2, 4]],
    ['name:!=[4.5, "CREME torch"]', [0, 2, 4]],
    ['price:45', [0]],
    ['price:[4.5..45]', [0, 1]],
    ['price:[..4.5, 50..]', [1, 2]],
    ['price:>4.5', [0, 2]],
    ['price:>=4.5 && price:<50', [0, 1]],
    ['price:!=45', [1, 2, 3, 4]],
    ['price:abc', []],
    ['tags:wine', [0]],
    ['tags:"old red"', []],
    ['tags:=[old, new]', [0, 1]],
    ['!tags:old', [1, 2, 3, 4]],
    ['tags:*', [0, 1]],
    ['nothing:*', []],
    ['author.name:cy', [1]],
    ['author:*', [0, 1]],
    ['on:true', [0]],
    ['on:!=true', [1, 2, 3, 4]],
    ['on:[true, false]', [0, 1]],
    ['at:2024-03-01', [2]],
    ['at:2024-03', [2, 3]],
    ['at:>2024-03-01', [3]],
    ['at:<=2024-03-01', [2]],
    ['at:[2024-03-01..2024-03-02]', [2, 3]],
    ['at:=2024-03-01T13:00:00+01:00', [2]],
    ['sold:>1700000000', [3]],
    ['sold:2024-01-15', [3]],
    ['sold:[1700000000]', [2]],
    ['mixed:5', [4]],
    ['mixed:five', [3, 4]],
    ['id:doc-2', [2]],
    ['id:[doc-0, doc-9, doc-4]', [0, 4]],
    ['id:!=doc-0', [1, 2, 3, 4]],
    ['id:doc*', [0, 1, 2, 3, 4]],
    ['id:DOC-2', []],
    ['unknown:1 || price:45', [0]],
    ['!unknown:*', [0, 1, 2, 3, 4]],
  ])('%s', (text, expected) => {
    expect(matching(fixture, text)).toEqual(expected);
  });
});

/* A plain reading of the documentation over plain documents, sharing no code with the columns. */

const prose = 'Old red wine. '.repeat(20).trim();
const vocabulary = [
  'red',
  'Red',
  'RED wine',
  'wines red',
  'reds',
  'blue',
  'blue red',
  '5',
  'true',
  '2024-01-01',
  '2024-01-01T10:00:00Z',
  'É',
  'é',
  'ß',
  '',
  // Long texts, of which columns know the beginning only.
  prose,
  prose.toUpperCase(),
  `${prose} Straße`,
  `${prose} strasse`,
  prose.slice(0, 70),
];
const dayStart = Date.UTC(2024, 0, 1) / 1000;
/** First and last second of what the vocabulary's dates cover, as whole or fractional seconds never fall between. */
const dates = new Map([
  ['2024-01-01', { from: dayStart, last: dayStart + 86_399.999 }],
  ['2024-01-01T10:00:00Z', { from: dayStart + 36_000, last: dayStart + 36_000 }],
]);

function valuesAt(value: unknown, path: string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((element) => valuesAt(element, path));
  if (path.length === 0) return value === null || typeof value === 'object' ? [] : [value];
  if (value === null || typeof value !== 'object') return [];
  const [key = '', ...rest] = path;
  return Object.hasOwn(value, key) ? valuesAt((value as Document)[key], rest) : [];
}

const naiveFold = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase();

function naiveNumber(text: string): number | null {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null;
}

/** The numbers that a value stands for, as numbers or, in a date field, as seconds. */
function numbersOf(value: unknown, path: string): { number: number; isDate: boolean }[] {
  if (typeof value === 'number') return [{ number: value, isDate: path === 'sold' }];
  const date = typeof value === 'string' && path !== 'price' ? dates.get(value) : undefined;
  return date === undefined ? [] : [{ number: date.from, isDate: true }];
}

function spanOf(text: string, isDate: boolean): { from: number; last: number } | null {
  const date = isDate ? dates.get(text) : undefined;
  if (date !== undefined) return date;
  const number = naiveNumber(text);
  return number === null ? null : { from: number, last: number };
}

function naiveOperand(
  operand: FilterOperand,
  value: unknown,
  clause: { path: string; isWhole: boolean },
): boolean {
  const { path, isWhole } = clause;
  if (operand.kind === 'range') {
    return numbersOf(value, path).some(({ number, isDate }) => {
      const from = operand.from === null ? { from: -1e99 } : spanOf(operand.from.text, isDate);
      const to = operand.to === null ? { last: 1e99 } : spanOf(operand.to.text, isDate);
      return from !== null && to !== null && number >= from.from && number <= to.last;
    });
  }
  const { text } = operand.value;
  if (!operand.isPrefix) {
    if (typeof value === 'boolean') return text.toLowerCase() === String(value);
    const isSame = numbersOf(value, path).some(({ number, isDate }) => {
      const span = spanOf(text, isDate);
      return span !== null && number >= span.from && number <= span.last;
    });
    if (isSame) return true;
  }
  if (typeof value !== 'string') return false;
  const isDateField = path === 'sold';
  const folded = naiveFold(value);
  if (operand.isPrefix) {
    const words = wordsOf(text);
    if (isWhole || words.length === 0) return folded.startsWith(naiveFold(text));
    const there = wordsOf(value);
    return words.every((word, i) =>
      there.some((each) => (i === words.length - 1 ? each.startsWith(word) : each === word)),
    );
  }
  if (isDateField) return false;
  const words = wordsOf(text);
  if (isWhole || words.length === 0) return folded === naiveFold(text);
  if (dates.has(text) && dates.has(value) && path !== 'price') return false;
  return words.every((word) => wordsOf(value).includes(word));
}

function naiveClause(clause: FilterClause, document: Document, id: string): boolean {
  const { path } = clause;
  if (path === 'id') {
    if (clause.kind === 'exists') return true;
    if (clause.kind !== 'match') return false;
    const isIn = clause.operands.some(
      (operand) =>
        operand.kind === 'value' &&
        (operand.isPrefix ? id.startsWith(operand.value.text) : id === operand.value.text),
    );
    return isIn !== (clause.operator === ':!=');
  }
  const values = valuesAt(document, path.split('.'));
  if (clause.kind === 'exists') {
    if (path !== 'o') return values.length > 0;
    return valuesAt(document, ['o', 'x']).length + values.length > 0;
  }
  if (clause.kind === 'compare') {
    return values
      .flatMap((value) => numbersOf(value, path))
      .some(({ number, isDate }) => {
        const span = spanOf(clause.value.text, isDate);
        if (span === null) return false;
        if (clause.operator === '>') return number > span.last;
        if (clause.operator === '>=') return number >= span.from;
        return clause.operator === '<' ? number < span.from : number <= span.last;
      });
  }
  // There are no points here.
  if (clause.kind === 'within') return false;
  const isWhole = clause.operator !== ':';
  const isAny = clause.operands.some((operand) =>
    values.some((value) => naiveOperand(operand, value, { path, isWhole })),
  );
  return isAny !== (clause.operator === ':!=');
}

function naive(node: FilterNode, document: Document, id: string): boolean {
  if (node.kind === 'not') return !naive(node.child, document, id);
  if ('children' in node) {
    const answers = node.children.map((child) => naive(child, document, id));
    return node.kind === 'and' ? !answers.includes(false) : answers.includes(true);
  }
  return naiveClause(node, document, id);
}

const scalar = fc.oneof(
  fc.constantFrom(...vocabulary),
  fc.integer({ min: -2, max: 6 }),
  fc.constantFrom(dayStart, dayStart + 86_399, dayStart + 86_400),
  fc.boolean(),
  fc.constant(null),
);
const anyField = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }));
const document: fc.Arbitrary<Document> = fc.record(
  {
    a: anyField,
    tags: fc.array(fc.constantFrom(...vocabulary), { maxLength: 3 }),
    price: fc.oneof(fc.integer({ min: -2, max: 6 }), fc.constant('5')),
    sold: fc.oneof(fc.constantFrom(...dates.keys()), fc.constantFrom(dayStart + 36_000, dayStart - 1)),
    at: fc.constantFrom(...dates.keys()),
    o: fc.oneof(scalar, fc.record({ x: anyField }), fc.array(fc.record({ x: scalar }), { maxLength: 2 })),
  },
  { requiredKeys: [] },
);

const text = fc.constantFrom(
  ...vocabulary,
  '4',
  '-1',
  String(dayStart),
  'wi',
  're',
  'wine re',
  'doc-1',
  'doc',
);
const anyValue = text.map((each) => ({ text: each, position: 0 }));
const operand: fc.Arbitrary<FilterOperand> = fc.oneof(
  fc.record({ kind: fc.constant('value' as const), value: anyValue, isPrefix: fc.boolean() }),
  fc.record({ kind: fc.constant('range' as const), from: anyValue, to: fc.option(anyValue) }),
  fc.record({ kind: fc.constant('range' as const), from: fc.constant(null), to: anyValue }),
);
const path = fc.constantFrom('a', 'tags', 'price', 'sold', 'at', 'o', 'o.x', 'unknown', 'id');
const position = fc.constant(0);
const { node } = fc.letrec<{ node: FilterNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    fc.record({
      kind: fc.constant('match' as const),
      path,
      position,
      operator: fc.constantFrom(':' as const, ':=' as const, ':!=' as const),
      operands: fc.array(operand, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant('compare' as const),
      path,
      position,
      operator: fc.constantFrom('>' as const, '>=' as const, '<' as const, '<=' as const),
      value: anyValue,
    }),
    fc.record({ kind: fc.constant('exists' as const), path, position }),
    fc.record({ kind: fc.constant('not' as const), child: tie('node') }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      children: fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}));

/** Many conditions on one field, of which some are the same. */
const crowd: fc.Arbitrary<FilterNode> = path.chain((path) => {
  const condition: fc.Arbitrary<FilterNode> = fc.record({
    kind: fc.constant('match' as const),
    path: fc.constant(path),
    position,
    operator: fc.constantFrom(':' as const, ':' as const, ':=' as const, ':!=' as const),
    operands: fc.array(operand, { minLength: 1, maxLength: 2 }),
  });
  const negated = condition.map((child): FilterNode => ({ kind: 'not', child }));
  return fc.record({
    kind: fc.constantFrom('and' as const, 'or' as const),
    children: fc.array(fc.oneof(condition, negated, node), { minLength: 2, maxLength: 16 }),
  });
});

test('gives what a plain reading of each document gives, after removals too', () => {
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 12 }),
      fc.array(fc.oneof(node, crowd), { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(11)),
      (documents, filters, gone) => {
        const removed = [...new Set(gone)].filter((ordinal) => ordinal < documents.length);
        const fixture = fixtureOf(documents, removed);
        for (const filter of filters) {
          const expected = documents.flatMap((each, ordinal) =>
            !removed.includes(ordinal) && naive(filter, each, idOf(ordinal)) ? [ordinal] : [],
          );
          expect(ordinalsOf(runSteps(evaluateFilter(filter, fixture)))).toEqual(expected);
        }
      },
    ),
    { numRuns: runs(1_000) },
  );
});

test('a filter that the check passes names known fields only, and the live set is left as it was', () => {
  fc.assert(
    fc.property(fc.array(document, { minLength: 1, maxLength: 6 }), node, (documents, filter) => {
      const scope = fixtureOf(documents);
      const { columns, live } = scope;
      const before = live.count();
      runSteps(evaluateFilter(filter, scope));
      expect(live.count()).toBe(before);
      if (checkFilter(filter, columns).length > 0) return;
      for (const clause of clausesOf(filter)) {
        const isKnown = clause.path === 'id' || columns.typesOf(clause.path).length > 0;
        expect(isKnown || columns.fieldsBelow(clause.path).length > 0).toBe(true);
      }
    }),
  );
});
