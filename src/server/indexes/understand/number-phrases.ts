import type { Token } from '#server/engine/search-index.ts';
import { pathText } from './filter-text.ts';
import type { NumberField } from './vocabulary.ts';

/**
 * Amounts and years in a query, in English: "under 30 dollars", "between 1990 and 2000", "the 80s", "rating over 4". A year is one only where the
 * collection has documents around it.
 */
export interface NumberPhrase {
  /** The word behind it. */
  next: number;
  /** In the text. */
  start: number;
  end: number;
  field: string;
  clause: string;
}

interface Read {
  text: string;
  words: Token[];
  fields: NumberField[];
}

interface Amount {
  value: number;
  isMoney: boolean;
  isDecade: boolean;
  start: number;
  end: number;
  next: number;
}

type Sign = '<' | '<=' | '>' | '>=';

const comparisons: [words: string, sign: Sign][] = [
  ['no more than', '<='],
  ['not more than', '<='],
  ['less than', '<'],
  ['lower than', '<'],
  ['cheaper than', '<'],
  ['more than', '>'],
  ['greater than', '>'],
  ['higher than', '>'],
  ['at most', '<='],
  ['at least', '>='],
  ['up to', '<='],
  ['under', '<'],
  ['below', '<'],
  ['before', '<'],
  ['until', '<='],
  ['over', '>'],
  ['above', '>'],
  ['after', '>'],
  ['since', '>='],
];
const currencies = /^(?:dollars?|usd|bucks?|euros?|eur|pounds?|gbp|francs?|chf)$/;
const priceWords = new Set(['price', 'cost', 'amount', 'fee', 'preis', 'prix', 'precio']);
const yearWords = new Set(['year', 'date', 'released', 'release', 'published', 'created', 'jahr']);
const joins = new Set(['and', 'to', 'until']);
const yearMin = 1000;
const yearMax = 2999;

/** The phrase that begins with this word; null: none does. */
export function numberPhraseAt(read: Read, at: number): NumberPhrase | null {
  return ofNamedField(read, at) ?? spanAt(read, at) ?? comparedAt(read, at) ?? yearsAt(read, at);
}

/** "rating over 4", "year 1994" */
function ofNamedField(read: Read, at: number): NumberPhrase | null {
  for (const field of read.fields) {
    if (!field.words.every((word, i) => read.words[at + i]?.token === word)) continue;
    let next = at + field.words.length;
    if (read.words[next]?.token === 'is') next += 1;
    const compared = comparisonAt(read, next);
    const amount = amountAt(read, compared?.next ?? next);
    if (!amount || amount.isDecade || !isPossible(field, amount.value)) continue;
    return phraseOf(read, at, {
      field,
      amount,
      clause: clauseOf(field, compared?.sign ?? '=', amount.value),
    });
  }
  return null;
}

/** "between 20 and 30 euros", "from 1990 to 1999", "1990-1999" */
function spanAt(read: Read, at: number): NumberPhrase | null {
  const opening = read.words[at]?.token;
  const isOpened = opening === 'between' || opening === 'from';
  const low = amountAt(read, isOpened ? at + 1 : at);
  if (!low || low.isDecade) return null;
  const joining = read.words[low.next]?.token ?? '';
  const between = read.text.slice(low.end, read.words[low.next]?.start ?? low.end);
  const isDash = /^\s*[-–]\s*(?:[$€£]\s*)?$/.test(between);
  if (!isDash && !(isOpened && joins.has(joining))) return null;
  const high = amountAt(read, isDash ? low.next : low.next + 1);
  if (!high || high.isDecade || high.value < low.value) return null;
  const amount = { ...high, start: low.start, isMoney: high.isMoney || low.isMoney };
  const found = fieldOf(read, [low.value, high.value], amount);
  if (!found) return null;
  const { field } = found;
  return phraseOf(read, at, { ...found, clause: rangeOf(field, low.value, high.value) });
}

/** "under 30 dollars", "since 1994" */
function comparedAt(read: Read, at: number): NumberPhrase | null {
  const compared = comparisonAt(read, at);
  const amount = compared && amountAt(read, compared.next);
  if (!amount || amount.isDecade) return null;
  const found = fieldOf(read, [amount.value], amount);
  return (
    found && phraseOf(read, at, { ...found, clause: clauseOf(found.field, compared.sign, amount.value) })
  );
}

/** "in 1994", "the 1980s", "80s" */
function yearsAt(read: Read, at: number): NumberPhrase | null {
  let next = at;
  if (['in', 'from', 'of'].includes(read.words[next]?.token ?? '')) next += 1;
  if (read.words[next]?.token === 'the') next += 1;
  const amount = amountAt(read, next);
  if (!amount || amount.isMoney) return null;
  const { value, isDecade } = amount;
  const from = isDecade && value < 100 ? 1900 + value : value;
  const to = isDecade ? from + 9 : from;
  if (isDecade && from % 10 !== 0) return null;
  const field = yearField(read.fields, [from, to], isDecade ? 'overlaps' : 'within');
  if (!field) return null;
  const clause = isDecade || field.unit === 'date' ? rangeOf(field, from, to) : clauseOf(field, '=', from);
  return phraseOf(read, at, { field, amount, clause });
}

function comparisonAt({ text, words }: Read, at: number): { sign: Sign; next: number } | null {
  for (const [phrase, sign] of comparisons) {
    const wanted = phrase.split(' ');
    if (wanted.every((word, i) => words[at + i]?.token === word)) return { sign, next: at + wanted.length };
  }
  const written = /[<>]=?\s*$/.exec(text.slice(words[at - 1]?.end ?? 0, words[at]?.start ?? 0))?.[0];
  return written ? { sign: written.trim() as Sign, next: at } : null;
}

const numberShape = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:[.,]\d+)?(?!\d)/y;

function amountAt({ text, words }: Read, at: number): Amount | null {
  const word = words[at];
  if (!word) return null;
  numberShape.lastIndex = word.start;
  const [written] = numberShape.exec(text) ?? [];
  if (written === undefined || written.length > 12) return null;
  const isGrouped = /^\d{1,3}(?:,\d{3})+/.test(written);
  const value = Number(isGrouped ? written.replaceAll(',', '') : written.replace(',', '.'));
  const behind = word.start + written.length;
  const plural = /^['’]?s(?![\p{L}\p{N}])/u.exec(text.slice(behind, behind + 3))?.[0] ?? '';
  const signs = /[$€£]\s?$/.exec(text.slice(0, word.start))?.[0] ?? '';
  const sign = /^\s?[$€£]/.exec(text.slice(behind))?.[0] ?? '';
  let end = behind + sign.length + plural.length;
  let next = words.findIndex(({ start }) => start >= end);
  if (next === -1) next = words.length;
  const unit = words[next];
  const isNamed = unit !== undefined && currencies.test(unit.token);
  if (isNamed) {
    end = unit.end;
    next += 1;
  }
  // "100x" is no amount.
  if (plural === '' && /^\p{L}/u.test(text.slice(behind))) return null;
  const isMoney = signs !== '' || sign !== '' || isNamed;
  return { value, isMoney, isDecade: plural !== '', start: word.start - signs.length, end, next };
}

/** Whose amounts these are, and where the phrase ends: a unit may be the field's name. */
function fieldOf(
  { text, words, fields }: Read,
  values: number[],
  amount: Amount,
): { field: NumberField; amount: Amount } | null {
  const price = fields.find((field) => field.words.some((word) => priceWords.has(word)));
  if (amount.isMoney) return price ? { field: price, amount } : null;
  const unit = words[amount.next];
  const named = unit && fields.find((field) => field.words.some((word) => isUnit(word, unit.token)));
  if (named) return { field: named, amount: { ...amount, end: unit.end, next: amount.next + 1 } };
  const year = yearField(fields, values, values.length > 1 ? 'overlaps' : 'within');
  if (year) return { field: year, amount };
  const isLast = unit === undefined || /^\s*,/.test(text.slice(amount.end));
  return price && isLast ? { field: price, amount } : null;
}

/** "90 minutes" of a field of minutes; "30 years" are no year. */
function isUnit(word: string, unit: string): boolean {
  return (
    unit.length > 2 && !yearWords.has(word) && (word === unit || `${word}s` === unit || word === `${unit}s`)
  );
}

/** The one that is called a year before others. `within`: some document has an earlier year, or this one, and some a later. */
function yearField(
  fields: NumberField[],
  values: number[],
  how: 'within' | 'overlaps',
): NumberField | undefined {
  const [from = 0, to = from] = values;
  if (!values.every((value) => Number.isInteger(value) && value >= yearMin && value <= yearMax))
    return undefined;
  const holds = ({ unit, min, max }: NumberField) =>
    unit === 'date' || (how === 'within' ? from >= min && to <= max : to >= min && from <= max);
  const years = fields.filter((field) => field.words.some((word) => yearWords.has(word)) && holds(field));
  return years.toSorted((a, b) => a.words.length - b.words.length)[0];
}

function isPossible({ unit }: NumberField, value: number): boolean {
  return unit === 'number' || (Number.isInteger(value) && value >= yearMin && value <= yearMax);
}

/** Of dates an amount is a year. */
function clauseOf({ path, unit }: NumberField, sign: Sign | '=', value: number): string {
  const name = pathText(path);
  if (unit === 'number') return `${name}:${sign === '=' ? '' : sign}${value}`;
  if (sign === '=') return `${name}:[${value}-01-01..${value}-12-31]`;
  return `${name}:${sign}${value}-${sign === '<' || sign === '>=' ? '01-01' : '12-31'}`;
}

function rangeOf({ path, unit }: NumberField, from: number, to: number): string {
  const name = pathText(path);
  return unit === 'number' ? `${name}:[${from}..${to}]` : `${name}:[${from}-01-01..${to}-12-31]`;
}

function phraseOf(
  { words }: Read,
  at: number,
  { field, amount, clause }: { field: NumberField; amount: Amount; clause: string },
): NumberPhrase {
  const start = Math.min(words[at]?.start ?? amount.start, amount.start);
  return { next: amount.next, start, end: amount.end, field: field.path, clause };
}
