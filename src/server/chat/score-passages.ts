import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import { limits } from '#shared/limits.ts';
import { answersKind, saidForField } from './answers-kind.ts';
import type { Passage } from './passages.ts';
import type { Question } from './question.ts';
import type { Retrieved, Source } from './retrieve.ts';
import { isSaidOtherwise, isTelling, type Word, wordsOf } from './words.ts';

/** A passage with what speaks for it as an answer, each from 0 to 1. */
export interface ScoredPassage {
  source: Source;
  /** Of the source, from 1. */
  number: number;
  passage: Passage;
  /** Place among the source's passages. */
  place: number;
  stems: ReadonlySet<string>;
  /** How much of the question's words it holds, those of its document's title counting almost as much. */
  overlap: number;
  /** How many of the question's words that are not in the title: what is asked of the document. */
  aspect: number;
  /** How many of the question's names and numbers it or its title has as they stand there, their words in other places counting half; 1 where there are none. */
  names: number;
  /** How much of the question's words its document holds anywhere. */
  coverage: number;
  /** Of the question's meaning and its own. */
  similarity: number;
  score: number;
}

/** The spaces of higher dimensions add letters to the model's own. */
const dimension = 384;
/** A word that only the title has. */
const titleShare = 0.95;
/** One that is said in another way. */
const otherwiseShare = 0.8;
/** Embedded without a pause: some thirty microseconds each. */
const embeddedAtOnce = 32;
/** Passages that are read without a pause, each for a question of so many words. */
const readAtOnce = 32;
const wordsAtOnce = 128;

/** Of what the conversation is about already. */
const meantFactor = 1.15;
/** Of what the question names by its title. */
const namedFactor = 1.3;

const parts = { overlap: 0.33, aspect: 0.2, similarity: 0.14, kind: 0.2, place: 0.09, source: 0.04 };

/** All that is worth a look, best first; those that hold most of the question's words are compared by meaning too. */
export async function scorePassages(
  embedder: Pick<Embedder, 'embedQuery'>,
  { question, sources }: Retrieved,
  requester: Requester,
): Promise<ScoredPassage[]> {
  const turn = () => loopTurns.next(requester);
  const all: ScoredPassage[] = [];
  let read = 0;
  for (const [i, source] of sources.entries()) {
    const title = wordsOf(source.title);
    const titleStems = new Set(title.map(({ stem }) => stem));
    const anywhere: number[] = [];
    const found: ScoredPassage[] = [];
    for (const [place, passage] of source.passages.entries()) {
      if (read >= readAtOnce) {
        await turn();
        read = 0;
      }
      read += 1 + question.weights.size / wordsAtOnce;
      const words = wordsOf(passage.text);
      const isValue = passage.kind === 'value';
      const said = isValue ? saidForField(passage.field) : [];
      const stems = new Set([...words.map(({ stem }) => stem), ...said]);
      const held = heldOf(question, { stems, titleStems, anywhere });
      // A value says nothing to a question that does not ask for it.
      if (isValue && answersKind(question, source.title, passage) === 0) continue;
      const names = namesHeld(question, [textOf(title), textOf(words)]);
      const measured = { ...held, names, coverage: 0, similarity: 0, score: 0 };
      found.push({ source, number: i + 1, passage, place, stems, ...measured });
    }
    const coverage = weighed(question, anywhere);
    for (const each of found) each.coverage = coverage;
    all.push(...found);
  }
  const named = namedBy(question, sources);
  const worth = all.sort(byOverlap).slice(0, limits.chatSentencesMax);
  const meaning = await embedder.embedQuery(question.text, dimension);
  const scoreMax = Math.max(...sources.map(({ score }) => score), Number.MIN_VALUE);
  for (const [i, scored] of worth.entries()) {
    if (i % embeddedAtOnce === 0) await turn();
    const own = await embedder.embedQuery(`${scored.source.title}. ${scored.passage.text}`, dimension);
    scored.similarity = Math.max(0, dot(meaning, own));
    scored.score = scoreOf(scored, question, scoreMax) * (named.has(scored.source) ? namedFactor : 1);
  }
  return worth.sort((a, b) => b.score - a.score || byPlace(a, b));
}

/** Those whose whole title stands in the question; of titles that hold one another the longest: who asks for "Jaws 2" does not mean "Jaws". */
function namedBy({ text }: Question, sources: Source[]): ReadonlySet<Source> {
  const asked = textOf(wordsOf(text));
  const titles = sources.map((source) => {
    const words = wordsOf(source.title);
    return { source, title: textOf(words), isPlain: !words.some(isTelling) };
  });
  const standing = titles.filter(({ title, isPlain }) => !isPlain && asked.includes(title));
  const within = (title: string) =>
    standing.some((other) => other.title.length > title.length && other.title.includes(title));
  return new Set(standing.filter(({ title }) => !within(title)).map(({ source }) => source));
}

function byOverlap(a: ScoredPassage, b: ScoredPassage): number {
  return b.overlap - a.overlap || byPlace(a, b);
}

function byPlace(a: ScoredPassage, b: ScoredPassage): number {
  return a.number - b.number || a.place - b.place;
}

interface Held {
  stems: ReadonlySet<string>;
  titleStems: ReadonlySet<string>;
  /** How much of each of the question's words the document had so far; becomes what it has now. */
  anywhere: number[];
}

function heldOf(
  { weights }: Question,
  { stems, titleStems, anywhere }: Held,
): Pick<ScoredPassage, 'overlap' | 'aspect'> {
  let overlap = 0;
  let asked = 0;
  let told = 0;
  let place = 0;
  for (const [stem, weight] of weights) {
    const inTitle = titleStems.has(stem);
    const share = stems.has(stem) ? 1 : isSaidOtherwise(stem, stems) ? otherwiseShare : 0;
    const held = Math.max(share, inTitle ? titleShare : 0);
    overlap += weight * held;
    anywhere[place] = Math.max(anywhere[place] ?? 0, held);
    place += 1;
    if (inTitle) continue;
    asked += 1;
    told += share;
  }
  return { overlap: Math.min(1, overlap), aspect: asked === 0 ? 1 : told / asked };
}

/** Its words, folded, each between spaces. */
function textOf(words: Word[]): string {
  return ` ${words.map(({ token }) => token).join(' ')} `;
}

function namesHeld({ names }: Question, texts: string[]): number {
  if (names.length === 0) return 1;
  const holds = (words: string) => texts.some((text) => text.includes(` ${words} `));
  const shares = names.map((words) =>
    holds(words.join(' ')) ? 1 : (0.5 * words.filter(holds).length) / words.length,
  );
  return shares.reduce((sum, share) => sum + share, 0) / names.length;
}

/** What is there of each word, by how much the word says. */
function weighed({ weights }: Question, shares: number[]): number {
  let sum = 0;
  let place = 0;
  for (const weight of weights.values()) {
    sum += weight * (shares[place] ?? 0);
    place += 1;
  }
  return Math.min(1, sum);
}

function scoreOf(scored: ScoredPassage, question: Question, scoreMax: number): number {
  const { source, passage, place, overlap, aspect, similarity } = scored;
  const score =
    parts.overlap * overlap +
    parts.aspect * aspect * overlap +
    parts.similarity * similarity +
    parts.kind * answersKind(question, source.title, passage) * Math.min(1, 2 * overlap) +
    parts.place / (1 + place / 2) +
    parts.source * Math.max(0, source.score / scoreMax);
  return source.isMeant ? meantFactor * score : score;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
