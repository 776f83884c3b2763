/** Why a document does not match the words of a query: which it does not hold, and where it holds them after all. */
import { parseJson } from '../../documents/parse-json.ts';
import { textsByField } from '../../documents/text-fields.ts';
import type { KeywordMatches } from '../../lexical/keyword-search.ts';
import { lettersOf, TypoMatcher } from '../../lexical/typos.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import { queryWords, tokenParts } from '../../text/analyzer.ts';
import { readSyntax } from '../../text/query-syntax.ts';
import type { SearchQuery } from '../../types.ts';
import type { IndexParts } from '../search-parts.ts';
import { explainWords } from './explain-words.ts';

interface MissingWord {
  word: string;
  /** Fields that are not searched and hold it. */
  otherFields: string[];
  /** The word of the searched fields that differs least, by one or two typos. */
  near: { word: string; typos: number } | null;
}

export interface WordsLoss {
  rule: 'all' | 'any' | 'most' | null;
  missing: MissingWord[];
  /** Words of the query that are held, and are stop words. */
  leftOut: string[];
}

/** Typos that any search allows. */
const typosMost = 2;
/** To compare a word of the document. */
const wordUnits = 64;

export function* wordsLoss(
  parts: IndexParts,
  query: SearchQuery,
  { keyword, ordinal }: { keyword: KeywordMatches; ordinal: number },
): Steps<WordsLoss> {
  const ordinals = Int32Array.of(ordinal);
  const inFields = (yield* explainWords(parts, query, { ...keyword, ordinals })).get(ordinal);
  const anywhere =
    query.fields === null
      ? inFields
      : (yield* explainWords(parts, { ...query, fields: null }, { ...keyword, ordinals })).get(ordinal);
  const held = new Map(anywhere?.words.map(({ word, matches }) => [word, matches]));
  const texts = yield* wordsIn(parts, query, ordinal);
  const missing: MissingWord[] = [];
  for (const word of inFields?.missing ?? []) {
    const fields = held.get(word)?.flatMap(({ field }) => field ?? []) ?? [];
    missing.push({ word, otherFields: [...new Set(fields)], near: yield* nearest(word, texts) });
  }
  const used = new Set(keyword.plan.map(({ text }) => text));
  const rules = parts.lexical.analyzer.words;
  const typed = queryWords(readSyntax(query.text).text, rules);
  const leftOut = new Set(typed.filter((word) => !used.has(word) && texts.has(word)));
  return { rule: keyword.rule, missing, leftOut: [...leftOut] };
}

/** Words of the searched fields, folded. */
function* wordsIn(
  { documents, lexical }: IndexParts,
  { fields }: SearchQuery,
  ordinal: number,
): Steps<Set<string>> {
  const document = (yield* parseJson(documents.sourceOf(ordinal))) as Record<string, unknown>;
  const words = new Set<string>();
  const names = fields?.flatMap(({ name, weight }) => (weight > 0 ? [name] : [])) ?? null;
  for (const texts of (yield* textsByField(document, names)).values()) {
    for (const text of texts) {
      for (const tokens of tokenParts(text, lexical.analyzer.words)) {
        for (const token of tokens) words.add(token);
        if (isPauseDue(tokens.length * wordUnits)) yield;
      }
    }
  }
  return words;
}

/** Of equally near ones the first by its letters. */
function* nearest(word: string, texts: Set<string>): Steps<MissingWord['near']> {
  const matcher = new TypoMatcher(word, typosMost);
  let best: MissingWord['near'] = null;
  for (const text of texts) {
    if (isPauseDue(wordUnits)) yield;
    const typos = matcher.distanceTo(lettersOf(text));
    if (typos === 0 || typos > typosMost) continue;
    if (best === null || typos < best.typos || (typos === best.typos && text < best.word))
      best = { word: text, typos };
  }
  return best;
}
