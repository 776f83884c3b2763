import {
  type Analyzer,
  asBoolean,
  clausesOf,
  compareInterval,
  dateInterval,
  type FilterClause,
  type FilterNode,
  fold,
  numberInterval,
  parseDateSpan,
  parseFilter,
  tokenize,
} from '#server/engine/search-index.ts';
import type { FieldView } from '#server/engine/types.ts';
import { limits } from '#shared/limits.ts';
import { pointOf, slotName } from './field-names.ts';
import { textGap, wholeUnitsMax } from './mapping.ts';
import { notBuilt } from './not-built.ts';
import { polygonQuery } from './polygon-query.ts';
import { allOf, among, anyOf, everything, noneOf, nothing, prefix, type Query, term } from './query.ts';

type Interval = ReturnType<typeof compareInterval>;
type MatchClause = Extract<FilterClause, { kind: 'match' }>;
type FilterOperand = MatchClause['operands'][number];

/** What conditions mean depends on. */
export interface FilterParts {
  /** By path. */
  fields: ReadonlyMap<string, FieldView>;
  rules: Analyzer['words'];
}

/** The documents that pass filters that were checked. */
export function filterQuery(filters: (string | null)[], parts: FilterParts): Query {
  return allOf(filters.flatMap((text) => toQueries(nodeOf(text), parts)));
}

/** The same without the conditions of the first filter that ask of one field alone. Null: it has none. */
export function filterQueryBeside(
  field: string,
  [own = null, ...others]: (string | null)[],
  parts: FilterParts,
): Query | null {
  const node = nodeOf(own);
  const conditions = node === null ? [] : conjuncts(node);
  const left = conditions.filter((each) => clausesOf(each).some(({ path }) => path !== field));
  if (left.length === conditions.length) return null;
  const rest = others.flatMap((text) => toQueries(nodeOf(text), parts));
  return allOf([...left.map((each) => toQuery(each, parts)), ...rest]);
}

function nodeOf(text: string | null): FilterNode | null {
  return parseFilter(text ?? '').filter;
}

function conjuncts(node: FilterNode): FilterNode[] {
  return node.kind === 'and' ? node.children.flatMap(conjuncts) : [node];
}

function toQueries(node: FilterNode | null, parts: FilterParts): Query[] {
  return node === null ? [] : [toQuery(node, parts)];
}

function toQuery(node: FilterNode, parts: FilterParts): Query {
  switch (node.kind) {
    case 'and':
      return allOf(node.children.map((child) => toQuery(child, parts)));
    case 'or':
      return anyOf(node.children.map((child) => toQuery(child, parts)));
    case 'not':
      return noneOf([toQuery(node.child, parts)]);
    default:
      return clauseQuery(node, parts);
  }
}

function clauseQuery(clause: FilterClause, parts: FilterParts): Query {
  if (clause.kind === 'within') return withinQuery(clause);
  if (clause.path === 'id') return idQuery(clause);
  if (clause.kind === 'exists') return term('has', clause.path);
  if (clause.kind === 'compare') {
    const { operator, value } = clause;
    const compared = (read: (text: string) => Interval | null): Interval[] => {
      const interval = read(value.text);
      return interval === null ? [] : [compareInterval(operator, interval)];
    };
    return inIntervals(clause.path, compared(numberInterval), compared(dateInterval));
  }
  const found = matchQuery(clause, parts);
  return clause.operator === ':!=' ? noneOf([found]) : found;
}

function withinQuery({ path, area }: Extract<FilterClause, { kind: 'within' }>): Query {
  if (area.kind === 'polygon') return polygonQuery(slotName('g', path), area.corners);
  const { center, radius, unit } = area;
  // To what places are rounded. Metres that are no number would be refused.
  const distance = radius === 0 ? '1cm' : `${Math.min(radius, aroundTheEarth)}${unit}`;
  return { geo_distance: { distance, [slotName('g', path)]: pointOf(center) } };
}

/** In any unit. */
const aroundTheEarth = 100_000_000;

/** Compared as they are. */
function idQuery(clause: FilterClause): Query {
  if (clause.kind === 'exists') return everything;
  if (clause.kind !== 'match') return nothing;
  const values = clause.operands.flatMap((operand) => (operand.kind === 'value' ? [operand] : []));
  const whole = values.filter(({ isPrefix }) => !isPrefix).map(({ value }) => value.text);
  const beginnings = values
    .filter(({ isPrefix, value }) => isPrefix && Buffer.byteLength(value.text) <= limits.documentIdBytesMax)
    .map(({ value }) => prefix('id', value.text));
  const found = anyOf([...(whole.length > 0 ? [among('id', whole)] : []), ...beginnings]);
  return clause.operator === ':!=' ? noneOf([found]) : found;
}

function matchQuery(clause: MatchClause, parts: FilterParts): Query {
  const { path, operands } = clause;
  const intervals = (read: (text: string) => Interval | null) =>
    operands.flatMap((operand) => intervalOf(operand, read) ?? []);
  const booleans = new Set(
    operands.flatMap((operand) =>
      operand.kind === 'value' && !operand.isPrefix ? (asBoolean(operand.value.text) ?? []) : [],
    ),
  );
  return anyOf([
    inIntervals(path, intervals(numberInterval), intervals(dateInterval)),
    ...Array.from(booleans, (value) => term(slotName('b', path), value)),
    ...textQueries(clause, parts),
  ]);
}

function intervalOf(operand: FilterOperand, read: (text: string) => Interval | null): Interval | null {
  if (operand.kind === 'value') return operand.isPrefix ? null : read(operand.value.text);
  const from = operand.from === null ? null : read(operand.from.text);
  const to = operand.to === null ? null : read(operand.to.text);
  if ((operand.from !== null && from === null) || (operand.to !== null && to === null)) return null;
  return { from: from?.from ?? Number.NEGATIVE_INFINITY, to: to?.to ?? Number.POSITIVE_INFINITY };
}

function inIntervals(path: string, numbers: Interval[], dates: Interval[]): Query {
  return anyOf([...rangesOf(slotName('n', path), numbers), ...rangesOf(slotName('d', path), dates)]);
}

function rangesOf(field: string, intervals: Interval[]): Query[] {
  // Beyond the last number is none.
  const points = intervals
    .filter(({ from, to }) => from === to && Number.isFinite(from))
    .map(({ from }) => from);
  const spans = intervals.filter(({ from, to }) => from < to);
  return [
    ...(points.length > 0 ? [{ terms: { [field]: points } }] : []),
    ...spans.map(({ from, to }) => ({
      range: {
        [field]: { ...(Number.isFinite(from) && { gte: from }), ...(Number.isFinite(to) && { lte: to }) },
      },
    })),
  ];
}

/** Whole texts, folded; with `:` the words of the operand, in one text of the field, the last one perhaps unfinished. */
function textQueries({ path, operator, operands }: MatchClause, { fields, rules }: FilterParts): Query[] {
  const field = fields.get(path);
  const isDeclaredDate = field?.isDeclared === true && field.types[0] === 'date';
  const hasDates = field?.types.includes('date') === true;
  return operands.flatMap((operand): Query[] => {
    if (operand.kind === 'range' || (isDeclaredDate && !operand.isPrefix)) return [];
    const { value, isPrefix } = operand;
    const words = operator === ':' ? tokenize(value.text, rules).map(({ token }) => token) : [];
    if (words.length === 0) return wholeQueries(path, fold(value.text), isPrefix);
    const isDate = !isPrefix && hasDates && parseDateSpan(value.text) !== null;
    const slots = isDate || !hasDates ? (['w'] as const) : (['w', 'y'] as const);
    return slots.map((slot) => wordsQuery(path, slotName(slot, path), { words, isPrefix }));
  });
}

function wholeQueries(path: string, folded: string, isPrefix: boolean): Query[] {
  const ask = isPrefix ? (field: string, value: string) => begun(path, field, value) : term;
  return [ask(slotName('o', path), folded), ask(slotName('v', path), folded.slice(0, wholeUnitsMax))];
}

/** Of a beginning: the cluster makes an automaton of it. */
const begunBytesMax = 1_000;

function begun(path: string, field: string, value: string): Query {
  if (Buffer.byteLength(value) > begunBytesMax)
    throw notBuilt(`A beginning of more than ${begunBytesMax} bytes, of "${path}",`, 'filter_by');
  return prefix(field, value);
}

/** Beginnings that a phrase is looked for with. */
const expansionsMax = 1_000;

function wordsQuery(
  path: string,
  field: string,
  { words, isPrefix }: { words: string[]; isPrefix: boolean },
): Query {
  const last = words.at(-1) ?? '';
  const whole = [...new Set(isPrefix ? words.slice(0, -1) : words)];
  const each = [...whole.map((word) => term(field, word)), ...(isPrefix ? [begun(path, field, last)] : [])];
  if (each.length === 1) return allOf(each);
  // In a list they may stand in several of its texts.
  const together = isPrefix
    ? {
        match_phrase_prefix: {
          [field]: { query: [...whole, last].join(' '), slop: textGap - 1, max_expansions: expansionsMax },
        },
      }
    : { match_phrase: { [field]: { query: whole.join(' '), slop: textGap - 1 } } };
  return allOf([...each, anyOf([noneOf([term('many', path)]), together])]);
}
