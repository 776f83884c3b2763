import { isPauseDue, runSteps, type Steps, stepUnits } from '#server/engine/steps.ts';

/** Where a sentence stands in its text (UTF-16 offsets), without the space around it. */
export interface Span {
  start: number;
  end: number;
}

/** A longer one is cut between words. */
export const sentenceCharactersMax = 600;

const terminators = new Set('.!?…。！？');
const wideTerminators = new Set('。！？');
const closers = new Set('"\'”’»)]}');
const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** A full stop behind them ends no sentence, whatever follows. */
const abbreviations = setOf(
  'mr mrs ms dr prof st vs eg ie cf ed eds dept est gen col sgt capt lt rev hon approx ca feat jan feb mar apr jun jul aug sep sept oct nov dec',
);
/** Nor behind these before a number. */
const numbered = setOf('no nos vol vols fig figs eq p pp ch');
/** These may be the last of a sentence. */
const lastOnes = setOf('jr sr etc al inc ltd co corp bros mt');
/** Behind those, a single letter or letters with full stops between them a sentence ends only where one of these begins the next. */
const starters =
  /^(The|It|He|She|They|We|This|That|These|Those|A|An|In|On|At|His|Her|Its|Their|After|Before|When|While|During|Since|Although|Despite|Later|There|For|As|With|From|If|But|And|However)\b/;
const space = /\s/;
const lowerCase = /\p{Ll}/u;

/**
 * The sentences of a text, in order. A full stop ends none behind an abbreviation or an initial, within a number, or before a small letter;
 * an empty line always ends one. Linear in the text.
 */
export function splitSentences(text: string): Span[] {
  return runSteps(splitInSteps(text));
}

/** The same with pauses: a step splits no more than some 16,384 characters. */
export function* splitInSteps(text: string): Steps<Span[]> {
  const spans: Span[] = [];
  let start = 0;
  let at = 0;
  let counted = 0;
  const endAt = (end: number) => {
    addTrimmed(spans, text, { start, end });
    start = end;
  };
  while (at < text.length) {
    if (at - counted >= stepUnits) {
      if (isPauseDue(at - counted)) yield;
      counted = at;
    }
    const character = text[at] ?? '';
    if (character === '\n') {
      const next = skipSpace(text, at);
      if (text.slice(at + 1, next).includes('\n') || isBullet(text, next)) endAt(next);
      at = next;
    } else if (terminators.has(character)) {
      const first = at;
      while (at < text.length && terminators.has(text[at] ?? '')) at += 1;
      const isStop = at - first === 1 && character === '.';
      const isWide = wideTerminators.has(text[at - 1] ?? '');
      while (at < text.length && closers.has(text[at] ?? '')) at += 1;
      const next = skipSpace(text, at);
      if (isWide || (next > at && endsHere(text, { first, next, isStop }))) endAt(at);
    } else at += 1;
  }
  endAt(text.length);
  return spans;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && space.test(text[at] ?? '')) at += 1;
  return at;
}

function isBullet(text: string, at: number): boolean {
  return /^([-*•–]|\d{1,3}[.)])\s/.test(text.slice(at, at + 6));
}

function endsHere(
  text: string,
  { first, next, isStop }: { first: number; next: number; isStop: boolean },
): boolean {
  const following = text.slice(next, next + 12);
  if (following === '') return true;
  if (lowerCase.test(following.charAt(0))) return false;
  const dots = text.slice(first, next).startsWith('..');
  if (dots) return starters.test(following);
  if (!isStop) return true;
  const word = wordBefore(text, first);
  const plain = word.toLowerCase().replaceAll('.', '');
  if (abbreviations.has(plain)) return false;
  if (numbered.has(plain)) return !/^\d/.test(following);
  if (lastOnes.has(plain)) return starters.test(following);
  const isInitial = /^\p{L}$/u.test(word) || /^(\p{L}\.)+\p{L}$/u.test(word);
  return !isInitial || starters.test(following);
}

/** Letters and full stops right before a place, of which no abbreviation has many. */
function wordBefore(text: string, end: number): string {
  const from = Math.max(0, end - 12);
  return /[\p{L}.]*$/u.exec(text.slice(from, end))?.[0] ?? '';
}

function addTrimmed(spans: Span[], text: string, { start, end }: Span): void {
  let from = skipSpace(text, start);
  let to = end;
  while (to > from && space.test(text[to - 1] ?? '')) to -= 1;
  while (to - from > sentenceCharactersMax) {
    const cut = text.lastIndexOf(' ', from + sentenceCharactersMax);
    const until = cut > from ? cut : wholeCharacter(text, from + sentenceCharactersMax);
    spans.push({ start: from, end: until });
    from = skipSpace(text, until);
  }
  if (to > from) spans.push({ start: from, end: to });
}

/** Not between the two halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
