/**
 * Whether hits fit what was asked, which their places in a list do not say: something is always first. One does where what it covers of the words and how near its
 * meaning is are enough together. How much that is was chosen on the natural queries of the three samples and on those that nothing there answers, by the built-in
 * models (`npm run eval -- natural` tells how well it does): a question about something like what there is may still pass.
 *
 * Cost: a look into the list of each word for each hit of the page.
 */
import { reportOf } from '../lexical/read-query.ts';
import type { Steps } from '../steps.ts';
import type { EngineHit, FitAsked, SearchQuery } from '../types.ts';
import type { Findings } from './find.ts';
import type { Ranking } from './rank.ts';
import type { SearchParts } from './search-parts.ts';
import type { SideOfWords } from './sides/side.ts';

export interface FitFacts {
  /** Null: the search or the document has no vector. */
  similarity: number | null;
  /** Of the words' weight, 0 to 1. */
  coverage: number;
  /** Absent: it is not told. */
  relevance?: number;
}

const enough = 0.45;
/** What holding all words adds to a similarity. */
const coverageShare = 0.5;
/** Of a search by one side alone. */
const nearMin = 0.32;
const coverageMin = 0.5;
/** Of a hybrid search in letters that the model does not read. */
const hardlyCovered = 0.125;
/** By what is judged in the collection: as likely relevant as not. */
const relevanceMin = 0.5;

/** Null: it cannot be told. */
export function fits(
  { similarity, coverage, relevance = 0 }: FitFacts,
  { mode, scale }: Pick<SearchQuery, 'mode'> & Pick<FitAsked, 'scale'>,
): boolean | null {
  if (relevance >= relevanceMin) return true;
  if (mode === 'hybrid' && scale === 'unread') return fitsByWords(coverage);
  if (similarity === null) return coverage >= coverageMin;
  if (scale !== 'own') return null;
  return mode === 'hybrid' ? similarity + coverageShare * coverage >= enough : similarity >= nearMin;
}

/** Beside a vector that says nothing: a question that a text answers has many words that it does not hold, so that what holds some is left open. */
function fitsByWords(coverage: number): boolean | null {
  if (coverage >= coverageMin) return true;
  return coverage < hardlyCovered ? false : null;
}

/** Of the hits of a page, by place; null: it is not asked for. `text`: what says how much they cover of the words. */
export function* fitsOf(
  { settings }: Pick<SearchParts, 'settings'>,
  query: SearchQuery,
  { page, ranked, findings }: Ranking & { page: Int32Array },
  text: SideOfWords = findings.text,
): Steps<(boolean | null)[] | null> {
  const { mode, fit } = query;
  if (!fit) return null;
  const ascending = page.toSorted();
  const shares = new Float64Array(ascending.length);
  if (mode !== 'vector') yield* text.coverages(ascending, shares, misread(findings, fit));
  const coverages = new Map(Array.from(ascending, (ordinal, place) => [ordinal, shares[place] ?? 0]));
  const isCosine = (query.metric ?? settings.metric) === 'cosine';
  const scale = fit.scale === 'own' && !isCosine ? 'other' : fit.scale;
  const pinned = new Set(findings.pinned.map(({ ordinal }) => ordinal));
  return Array.from(page, (ordinal) => {
    if (pinned.has(ordinal)) return true;
    const similarity = findings.vector?.similarityOf(ordinal) ?? Number.NEGATIVE_INFINITY;
    const facts = {
      similarity: similarity === Number.NEGATIVE_INFINITY ? null : similarity,
      coverage: coverages.get(ordinal) ?? 0,
      relevance: ranked.relevanceOf?.(ordinal) ?? 0,
    };
    return fits(facts, { mode, scale });
  });
}

/** Places of the words that hits hold only as others though they may be meant as they were typed: `chess` as `chest`. */
function misread({ keyword: { plan, held } }: Findings, { knownWords }: FitAsked): number[] {
  if (knownWords.length === 0) return [];
  const read = reportOf(plan, [held]).correctedTokens.map(({ from }) => from);
  const all = new Set(read.filter((word) => knownWords.includes(word)));
  return plan.flatMap(({ text }, place) => (all.has(text) ? [place] : []));
}

/** Whether the hits are the first ones of a list by score, and none of them fits. */
export function nothingFits(
  { offset, walk, sort }: Pick<SearchQuery, 'offset' | 'walk' | 'sort'>,
  fitting: readonly (boolean | null | undefined)[],
): boolean {
  const areFirst = offset === 0 && sort.length === 0 && !walk?.from;
  return areFirst && fitting.length > 0 && fitting.every((one) => one === false);
}

/** Says so of a hit, where it is told. */
export function setFit(hit: EngineHit, isFitting: boolean | null | undefined): void {
  if (typeof isFitting === 'boolean') hit.fits = isFitting;
}
