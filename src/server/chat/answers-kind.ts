import type { Passage } from './passages.ts';
import type { Question, QuestionKind } from './question.ts';
import { isCapitalised, stemsOf, wordsOf } from './words.ts';

type Sign = (text: string, question: Question, title: string) => number;

const has =
  (pattern: RegExp, weight = 1): Sign =>
  (text) =>
    pattern.test(text) ? weight : 0;

const months = 'January|February|March|April|May|June|July|August|September|October|November|December';

const asksForPlot = /\babout\b/i;
const plot =
  /\b(follows|plot|story|tells|cent(er|re)s|depicts|focus(es)?|concerns|about|an? \p{L}+ who|who)\b/iu;
const meaning = /\b(is|are|was|were|refers? to|means)\b/i;

/** How well a sentence answers a question of a kind, from 0 to 1. */
const signs: Record<QuestionKind, Sign> = {
  who: (text, question, title) => (namesSomebody(text, question, title) ? 1 : 0),
  when: has(
    new RegExp(`\\b(1[0-9]{3}|20[0-9]{2}|${months}|\\d{1,2}(st|nd|rd|th) century|\\d{1,2}:\\d{2})\\b`),
  ),
  where: has(/\b(in|at|near|from|on|of|to|off|around)\s+(the\s+)?\p{Lu}/u),
  'how many': has(
    /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?|thousands?|millions?|billions?|dozens?|half|twice)\b/i,
  ),
  why: has(
    /\b(because|due to|since|so that|in order to|therefore|as a result|caused by|leads? to|led to|thanks to|owing to|reason)\b/i,
  ),
  how: has(/\b(by|using|through|via|with|means of)\b/i, 0.5),
  'yes or no': () => 0,
  definition: (text, { text: asked }) => ((asksForPlot.test(asked) ? plot : meaning).test(text) ? 1 : 0),
  which: () => 0,
  open: () => 0,
};

const list = (names: string) => names.split(' ');

/** What fields are called that answer a question of a kind. */
const fieldNames: Partial<Record<QuestionKind, readonly string[]>> = {
  who: list('artist author director creator cast actor writer painter maker owner person people'),
  when: list('year date day released published created founded updated'),
  where: list('place location city country region address state venue'),
  'how many': list('price cost count number amount quantity rating length duration size weight'),
};

/** What people say for what fields are called. */
const saidFor: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    price: list('cost costs price pay expensive cheap'),
    rating: list('rated rating stars'),
    cast: list('star stars starred starring act acts acted plays played cast actor actors'),
    artist: list('artist paint paints painted painter made make drew draw created create sculpted'),
    author: list('author write wrote written writer'),
    year: list('year when released release made painted published come came date'),
    medium: list('medium material made'),
    brand: list('brand makes maker make manufacturer sells'),
    genres: list('genre genres kind'),
  }),
);

/** How well a passage answers what kind of thing is asked for, from 0 to 1. A value answers where its field is what is asked for. */
export function answersKind(question: Question, title: string, passage: Passage): number {
  if (passage.kind === 'sentence') return signs[question.kind](passage.text, question, title);
  return isAskedFor(question, passage.field) ? 1 : 0;
}

/** Whether the question asks for a field: by what it is called, or by what people say for that. */
function isAskedFor(question: Question, field: string): boolean {
  const name = nameOf(field);
  const kind = kindOfField(name);
  if (kind !== null && kind !== question.kind && question.kind in fieldNames) return false;
  const said = saidFor.get(name);
  if (said) return said.some((word) => question.tokens.has(word));
  if (kind === question.kind) return true;
  return wordsOf(name).some(({ token, stem }) => question.tokens.has(token) || question.weights.has(stem));
}

/** The words of a question that a value answers by its field alone. */
export function saidForField(field: string): ReadonlySet<string> {
  return stemsOf((saidFor.get(nameOf(field)) ?? []).join(' '));
}

function nameOf(field: string): string {
  return (field.toLowerCase().split('.').at(-1) ?? '').replaceAll(/[_-]/g, ' ');
}

function kindOfField(name: string): QuestionKind | null {
  const found = Object.entries(fieldNames).find(([, names]) => names.includes(name));
  return found ? (found[0] as QuestionKind) : null;
}

/** Capital letters in the middle of a sentence that are neither the question's nor the title's. */
function namesSomebody(text: string, question: Question, title: string): boolean {
  const known = stemsOf(title);
  const [first, ...others] = wordsOf(text);
  const isNew = (word: (typeof others)[number]) =>
    isCapitalised(text, word) && !known.has(word.stem) && !question.weights.has(word.stem);
  return others.some((word, i) => isNew(word) && isNew(others[i + 1] ?? others[i - 1] ?? first ?? word));
}
