import { tellingWords } from './question.ts';
import type { DocumentPlace } from './retrieve.ts';
import { isCapitalised, isTelling, stemsOf, type Word, wordsOf } from './words.ts';

/** A question of the conversation and what came of it. */
export interface Turn {
  /** As it was understood. */
  question: string;
  answer: string;
  /** What the answer cites, in its order. */
  subjects: Subject[];
}

interface Subject extends DocumentPlace {
  title: string;
}

export interface Resolved {
  /** The message by itself: what it takes from the conversation is put in. */
  question: string;
  /** The documents that it is about, where it says so only by the conversation. */
  focus: Subject[];
}

/** A longer message speaks for itself. */
const followUpCharactersMax = 300;

/** "That" and the like only where no noun can stand before them: "films that …" means no film in particular. */
const things =
  /\b(?:it|its|this one|that one|they|them|their|theirs)\b|(?<=\b(?:about|of|with|for|like|on|by|from|at|is|was|did|does)\s)(?:this|that|these|those)\b(?=\s*(?:[?.!,]|$|happen|take|begin|end|mean))/i;
const people = /\b(he|she|him|her|his|hers)\b/i;
const genericNouns =
  'film|movie|picture|book|novel|story|product|item|article|paper|study|document|painting|artwork|work|drawing|print|album|song|show|series|one';
const genericThing = new RegExp(`\\b(?:the|this|that)(?: same)? (?:${genericNouns})\\b`, 'i');
/** How a message begins that asks the former question of something else, which is what stands behind it. */
const whatAbout = /^\P{L}*(?:and |but |so |ok(?:ay)?,? )?(?:what|how) about\s/iu;
const andOther = /^\P{L}*(?:and|or)\s/iu;
const more =
  /^\W*(?:(?:please )?(?:tell me more|go on|continue|more(?: details| please)?|and then|what else|anything else))\W*$/i;
const asking =
  /^(who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|can|has|have|had|in (?:what|which|whose)|by (?:whom|what|which))\b/i;

/**
 * A message by itself, whatever it takes from the conversation: a pronoun or "the film" stands for what the last answer cites, "he" for the
 * person whom it names, "what about …" asks the former question of something else, and a bare "when?" asks it of the same.
 */
export function resolveFollowUp(message: string, turns: readonly Turn[]): Resolved {
  const alone: Resolved = { question: message, focus: [] };
  if (message.length > followUpCharactersMax) return alone;
  const last = turns.findLast(({ subjects }) => subjects.length > 0) ?? turns.at(-1);
  if (!last) return alone;
  const [subject] = last.subjects;
  if (more.test(message)) return subject ? about(subject) : { question: last.question, focus: [] };
  const other = behind(whatAbout, message) ?? otherThan(message);
  // "What about its cast?" asks something of the same.
  if (other !== null && !things.test(other) && !people.test(other) && !genericThing.test(other))
    return askedOf(other, last);
  return ofPerson(message, last) ?? ofThing(message, subject) ?? bare(message, { last, subject }) ?? alone;
}

function otherThan(message: string): string | null {
  const other = behind(andOther, message);
  return other !== null && !asking.test(other) ? other : null;
}

/** From the first letter or digit behind a beginning to the last one; null: it does not begin so, or has none. */
function behind(beginning: RegExp, message: string): string | null {
  const found = beginning.exec(message);
  const rest = found && message.slice(found[0].length);
  // One by one: a pattern of both ends would try each way to share out a run of spaces between them, which takes seconds.
  const letters = rest === null ? [] : [...rest.matchAll(/[\p{L}\p{N}]/gu)];
  const [first] = letters;
  const last = letters.at(-1);
  return rest !== null && first && last ? rest.slice(first.index, last.index + last[0].length) : null;
}

/** Without spaces and stops at its end. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s?!.]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function about(subject: Subject): Resolved {
  return { question: `Tell me about ${subject.title}`, focus: [subject] };
}

/** The former question with something else in the place of what it was about. */
function askedOf(other: string, { question, subjects }: Turn): Resolved {
  const [subject] = subjects;
  const place = subject ? placeOf(subject.title, question) : null;
  const name = place ?? lastName(question);
  if (name === null) return { question: `${withoutEnd(question)}: ${other}?`, focus: [] };
  const before = question.slice(0, name.start);
  const named = other.replace(alreadyIn(before), '');
  return { question: `${before}${named}${question.slice(name.end)}`, focus: [] };
}

/** What stands at the end of one part and would come again at the beginning of the next: "in" before "in Inception", "the" before "a pen". */
function alreadyIn(before: string): RegExp {
  const [word = ''] = /(?<!\p{L})\p{L}+(?=\s$)/u.exec(before) ?? [];
  if (/^(the|an?)$/i.test(word)) return /^(the|an?)\s+/i;
  return word === '' ? /^(?!)/ : new RegExp(`^${word}\\s+`, 'iu');
}

/** Where a title stands in a question, as words of its own and however it is written there: best as it is written itself. */
function placeOf(title: string, question: string): { start: number; end: number } | null {
  const words = `(?<![\\p{L}\\p{N}])${title.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`;
  const found = new RegExp(words, 'u').exec(question) ?? new RegExp(words, 'iu').exec(question);
  return found && { start: found.index, end: found.index + found[0].length };
}

/** The last run of words with capital letters, but for the first word. */
function lastName(text: string): { start: number; end: number } | null {
  return namesIn(text, 1).at(-1) ?? null;
}

/** Runs of words with capital letters and nothing but space between them, and words that join names. */
function namesIn(text: string, wordsMin: number): { start: number; end: number; words: Word[] }[] {
  const runs: Word[][] = [];
  let isOpen = false;
  for (const [i, word] of wordsOf(text).entries()) {
    const isName = isCapitalised(text, word) && (i > 0 || wordsMin > 1);
    const before = runs.at(-1)?.at(-1);
    const isNext =
      isOpen && before !== undefined && /^[\s.'’-]{1,2}$/.test(text.slice(before.end, word.start));
    if (isName && isNext) runs.at(-1)?.push(word);
    else if (isName) runs.push([word]);
    isOpen = isName;
  }
  return runs
    .filter((words) => words.length >= wordsMin)
    .map((words) => ({ start: words[0]?.start ?? 0, end: words.at(-1)?.end ?? 0, words }));
}

/** "he", "her": whom the last answer names, first of all in answer to its question. */
function ofPerson(message: string, last: Turn): Resolved | null {
  const pronoun = people.exec(message);
  if (!pronoun || isName(pronoun) || hasOwnName(message, pronoun.index)) return null;
  const person = personIn(last);
  if (person === null) return null;
  return { question: replaced(message, pronoun, person), focus: [] };
}

function personIn({ question, answer, subjects }: Turn): string | null {
  const [subject] = subjects;
  const known = stemsOf(subject?.title ?? '');
  const asked = new Set(tellingWords(question).map((word) => word.stem));
  const names = namesIn(answer, 2).filter(({ words }) => words.every(({ stem }) => !known.has(stem)));
  // A person the question was about already stays the one who is meant.
  const stays = names.find(({ words }) => words.every(({ stem }) => asked.has(stem)));
  if (stays) return answer.slice(stays.start, stays.end);
  const verb = wordsOf(answer).find(({ stem }) => asked.has(stem) && !known.has(stem));
  const found = names.find(({ start }) => verb !== undefined && start > verb.end) ?? names[0];
  return found ? answer.slice(found.start, found.end) : personAskedFor(question);
}

function personAskedFor(question: string): string | null {
  const [name] = namesIn(question, 2);
  return name ? question.slice(name.start, name.end) : null;
}

/** "it", "the film": what the last answer cites first. */
function ofThing(message: string, subject: Subject | undefined): Resolved | null {
  if (!subject) return null;
  const noun = genericThing.exec(message);
  const found = noun ?? things.exec(message) ?? people.exec(message);
  // "Who plays Mozart in the film?": a name is none for the film.
  if (!found || (found !== noun && (isName(found) || hasOwnName(message, found.index)))) return null;
  return { question: replaced(message, found, subject.title), focus: [subject] };
}

/** "Who directed It?", and not "IT WAS MADE WHEN?". */
function isName({ 0: word, index }: RegExpExecArray): boolean {
  return index > 0 && /^\p{Lu}\p{Ll}/u.test(word);
}

/** The message itself names what the pronoun stands for: a name, or words before an "and". */
function hasOwnName(message: string, before: number): boolean {
  const earlier = message.slice(0, before);
  if (namesIn(earlier, 1).length > 0) return true;
  return /\band\b/i.test(earlier) && wordsOf(earlier).filter(isTelling).length > 1;
}

function replaced(message: string, found: RegExpExecArray, by: string): string {
  const [word] = found;
  const isOwning = /^(its|their|theirs|his|hers)$/i.test(word) || isOwningHer(message, found);
  const rest = message.slice(found.index + word.length);
  return `${message.slice(0, found.index)}${by}${isOwning ? '’s' : ''}${rest}`;
}

/** "her films", not "about her". */
function isOwningHer(message: string, found: RegExpExecArray): boolean {
  return /^her$/i.test(found[0]) && /^\s+\p{L}/u.test(message.slice(found.index + 3));
}

/** "When?", "And why?", "Who directed?": no word of it says of what. */
function bare(
  message: string,
  { last, subject }: { last: Turn; subject: Subject | undefined },
): Resolved | null {
  const words = wordsOf(message);
  const telling = words.filter(isTelling);
  if (words.length > 4 || telling.length > 1 || !asking.test(message.replace(/^\W*(and|but|so)\s+/i, '')))
    return null;
  const pronoun = things.exec(message) ?? people.exec(message);
  if (telling.some((word) => isCapitalised(message, word)) || (pronoun && isName(pronoun))) return null;
  const own = withoutEnd(message);
  if (telling.length > 0) return subject ? { question: `${own} ${subject.title}?`, focus: [subject] } : null;
  const former = last.question.replace(/^\P{L}*(?:(?:and|but|so)\s+)?\p{L}+\s+/iu, '');
  return { question: `${own} ${former}`, focus: subject ? [subject] : [] };
}
