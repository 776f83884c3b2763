/**
 * Words that are written in one or in two: what a query may also have meant by `note book` and by `notebook`. Two words that were typed one behind the
 * other are joined where documents hold that word; one is cut in two where documents hold both parts, and stands for these in a row (Lucene's
 * `WordBreakSpellChecker`, one change a word; its parts are ordered by the sum or the maximum of their frequencies, these by the rarer one's, since
 * that bounds how many documents can hold both). Costs a look-up for each pair and two for each letter of a word that is cut; of parts that are both
 * words their lists, and the characters of the documents that hold both.
 */
import type { BreakFigures, WordPlan } from '../merged-types.ts';
import { type Analyzer, queryWords } from '../text/analyzer.ts';
import { readSyntax } from '../text/query-syntax.ts';

/** Letters that each part of a word that is cut has at least; a joined one has as many as two. */
const lettersMin = 2;
/** Of the documents that are read for all cut words of a query: 20 million units of the 500 that a search has for phrases. */
export const breakCharactersMax = 2_000_000;

/** A longer text is prose, and cutting it into its words again costs more than it may tell. */
const charactersMax = 1_000;

export interface WordBreak {
  /** Words of the plan that it stands for: two that are joined, or one that is cut. */
  places: number[];
  /** One, or two in a row. */
  words: string[];
}

/** What may be meant; `mayCut`: by the place of a word. Words in quotation marks and stop words stand as they are. */
export function wordBreaks(
  plan: readonly WordPlan[],
  text: string,
  { analyzer, mayCut }: { analyzer: Analyzer; mayCut: (place: number) => boolean },
): WordBreak[] {
  if (text.length > charactersMax) return [];
  const places = new Map(
    plan.flatMap(({ text: word, isQuoted, isBeginningOnly }, place) =>
      isQuoted || isBeginningOnly ? [] : [[word, place] as const],
    ),
  );
  const joins = new Map<string, WordBreak>();
  for (const part of readSyntax(text).parts) {
    const typed = part.kind === 'words' ? queryWords(part.text, analyzer.words) : [];
    typed.forEach((word, i) => {
      const next = typed[i + 1] ?? '';
      const pair = [places.get(word) ?? -1, places.get(next) ?? -1];
      const isLong = word.length + next.length >= 2 * lettersMin;
      if (isLong && !pair.includes(-1)) joins.set(pair.join(), { places: pair, words: [word + next] });
    });
  }
  const cuts = [...places].flatMap(([word, place]) =>
    mayCut(place) ? cutsOf(word, analyzer).map((words) => ({ places: [place], words })) : [],
  );
  return [...joins.values(), ...cuts];
}

function cutsOf(word: string, { stopWords }: Analyzer): string[][] {
  const letters = Array.from(word);
  return letters.flatMap((_, end) => {
    if (end < lettersMin || letters.length - end < lettersMin) return [];
    const parts = [letters.slice(0, end).join(''), letters.slice(end).join('')];
    return parts.some((part) => stopWords.has(part)) ? [] : [parts];
  });
}

/** The plan with every joined word that more documents hold than `least` says, and of each word that is cut the parts whose rarer one most documents hold. */
export function withWordBreaks(
  plan: WordPlan[],
  { breaks, figures }: { breaks: readonly WordBreak[]; figures: readonly BreakFigures[] },
  least: (places: number[]) => number,
): WordPlan[] {
  const chosen: WordBreak[] = [];
  const best = new Map<number, { rarer: number; characters: number; cut: WordBreak }>();
  breaks.forEach((each, i) => {
    const { documents = [], characters = 0 } = figures[i] ?? {};
    const rarer = Math.min(...documents);
    const [place = -1] = each.places;
    if (each.words.length === 1 && rarer > least(each.places)) chosen.push(each);
    if (each.words.length > 1 && rarer > (best.get(place)?.rarer ?? 0))
      best.set(place, { rarer, characters, cut: each });
  });
  let left = breakCharactersMax;
  for (const { characters, cut } of best.values()) {
    if (characters > left) continue;
    left -= characters;
    chosen.push(cut);
  }
  if (chosen.length === 0) return plan;
  return plan.map((word, place) => {
    const own = chosen.filter(({ places }) => places.includes(place)).map(({ words }) => words);
    return own.length === 0 ? word : { ...word, breaks: own };
  });
}
