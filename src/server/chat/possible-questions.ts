import type { Passage } from './passages.ts';
import { happened, isMany } from './value-sentence.ts';
import { isTelling, wordsOf } from './words.ts';

/** A question that somebody could ask about a document. */
export interface PossibleQuestion {
  /** What it asks for: of several questions each asks for something else, where it can be. */
  kind: string;
  text: string;
}

const titleCharactersMax = 60;
const labelWordsMax = 2;
/** Sentences that are looked through for names. */
const sentencesSeen = 8;

const people = /^(author|director|creator|artist|writer|painter|maker|owner|brand|publisher|composer)$/;
const casts = /^(cast|actors|crew|members|people|team)$/;
/** With what names of yes and no begin: "the in stock of a lamp" is nothing that is asked for. */
const notNoun = /^(?:is|are|was|has|have|can|may|should|in|on|at|no|not)\b/;
const notSpoken = /url|uri|href|link|image|thumbnail|icon|path|hash|sku|slug|(^|[ _-])ids?$/i;

/**
 * Questions about a document, by its title and what its fields are called; of one without a title by the names that it mentions and by what its texts begin with. `title`: null where it
 * has none. Whether they are answered is not known.
 */
export function possibleQuestions(title: string | null, passages: Passage[]): PossibleQuestion[] {
  const isSpoken = title !== null && title.length <= titleCharactersMax && /\p{L}{2}/u.test(title);
  if (!isSpoken) return [...mentionedNames(passages), ...topics(passages)];
  const values = passages.filter(({ kind }) => kind === 'value');
  const asked = values.flatMap((value) => questionFor(title, value) ?? []);
  const isTold = passages.some(({ kind }) => kind === 'sentence');
  return isTold ? [{ kind: 'about', text: `What is ${title} about?` }, ...asked] : asked;
}

function questionFor(title: string, { field, text }: Passage): PossibleQuestion | null {
  const label = (field.split('.').at(-1) ?? '').replaceAll(/[_-]+/g, ' ').trim().toLowerCase();
  const value = text.slice(text.indexOf(': ') + 2);
  if (!/^\p{L}/u.test(label) || label.split(' ').length > labelWordsMax) return null;
  if (notNoun.test(label) || notSpoken.test(label)) return null;
  if (casts.test(label)) return { kind: 'cast', text: `Who is in the ${label} of ${title}?` };
  if (label === 'brand') return { kind: 'brand', text: `Which brand makes ${title}?` };
  if (people.test(label)) return { kind: 'who', text: `Who is the ${label} of ${title}?` };
  if (/^(price|cost)$/.test(label)) return { kind: 'price', text: `What does ${title} cost?` };
  if (happened.test(label) && /\d{4}/.test(value))
    return {
      kind: 'when',
      text: label === 'died' ? `When did ${title} die?` : `When was ${title} ${label}?`,
    };
  if (/^\d{4}$/.test(value) && /year|released?|date/.test(label))
    return { kind: 'when', text: `What year is ${title} from?` };
  return { kind: label, text: `What ${isMany(label) ? 'are' : 'is'} the ${label} of ${title}?` };
}

/** Words with capital letters behind one that has none: what begins a sentence is not known to be a name. */
const name = /(?<=\p{Ll} )\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*/gu;

function mentionedNames(passages: Passage[]): PossibleQuestion[] {
  const texts = passages.filter(({ kind }) => kind === 'sentence').slice(0, sentencesSeen);
  const names = texts.flatMap(({ text }) => text.match(name) ?? []);
  return [...new Set(names)].map((each) => ({ kind: 'name', text: `What is said about ${each}?` }));
}

/** Of the first sentence, in its order: what a text is about mostly stands there. */
const topicsMax = 3;
const topicLettersMin = 5;
/** Mostly no nouns. */
const inflected = /(?:ed|ing|ly)$/;

function topics(passages: Passage[]): PossibleQuestion[] {
  const [first] = passages.filter(({ kind }) => kind === 'sentence');
  if (!first) return [];
  const words = wordsOf(first.text).filter(
    (word) => isTelling(word) && /^\p{L}+$/u.test(word.token) && word.token.length >= topicLettersMin,
  );
  const nouns = words.filter(({ token }) => !inflected.test(token));
  const named = nouns.map(({ start, end }) => first.text.slice(start, end));
  return [...new Set(named)]
    .slice(0, topicsMax)
    .map((each) => ({ kind: 'topic', text: `Tell me about ${each}` }));
}
