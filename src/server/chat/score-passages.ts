import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import { limits } from '#shared/limits.ts';
import { answersKind, saidForField } from './answers-kind.ts';
import type { Passage } from './passages.ts';
import type { Question } from './question.ts';
import type { Retrieved, Source } from './retrieve.ts';
import { isSaidOtherwise, stemsOf } from './words.ts';

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
/** Read without a pause. */
const readAtOnce = 64;

/** Of what the conversation is about already. */
const meantFactor = 1.15;

const parts = { overlap: 0.33, aspect: 0.2, similarity: 0.14, kind: 0.2, place: 0.09, source: 0.04 };

/** All that is worth a look, best first; those that hold most of the question's words are compared by meaning too. */
export async function scorePassages(
  embedder: Pick<Embedder, 'embedQuery'>,
  { question, sources }: Retrieved,
  requester: Requester,
): Promise<ScoredPassage[]> {
  const turn = () => loopTurns.next(requester);
  const all: ScoredPassage[] = [];
  for (const [i, source] of sources.entries()) {
    const titleStems = stemsOf(source.title);
    for (const [place, passage] of source.passages.entries()) {
      const isValue = passage.kind === 'value';
      // A value says nothing to a question that does not ask for it.
      if (isValue && answersKind(question, source.title, passage) === 0) continue;
      const own = stemsOf(passage.text);
      const stems = isValue ? new Set([...own, ...saidForField(passage.field)]) : own;
      const held = heldOf(question, stems, titleStems);
      all.push({ source, number: i + 1, passage, place, stems, ...held, similarity: 0, score: 0 });
      if (all.length % readAtOnce === 0) await turn();
    }
  }
  const worth = all.sort(byOverlap).slice(0, limits.chatSentencesMax);
  const meaning = await embedder.embedQuery(question.text, dimension);
  const scoreMax = Math.max(...sources.map(({ score }) => score), Number.MIN_VALUE);
  for (const [i, scored] of worth.entries()) {
    if (i % embeddedAtOnce === 0) await turn();
    const own = await embedder.embedQuery(`${scored.source.title}. ${scored.passage.text}`, dimension);
    scored.similarity = Math.max(0, dot(meaning, own));
    scored.score = scoreOf(scored, question, scoreMax);
  }
  return worth.sort((a, b) => b.score - a.score || byPlace(a, b));
}

function byOverlap(a: ScoredPassage, b: ScoredPassage): number {
  return b.overlap - a.overlap || byPlace(a, b);
}

function byPlace(a: ScoredPassage, b: ScoredPassage): number {
  return a.number - b.number || a.place - b.place;
}

function heldOf(
  { weights }: Question,
  stems: ReadonlySet<string>,
  titleStems: ReadonlySet<string>,
): { overlap: number; aspect: number } {
  let overlap = 0;
  let asked = 0;
  let told = 0;
  for (const [stem, weight] of weights) {
    const inTitle = titleStems.has(stem);
    const share = stems.has(stem) ? 1 : isSaidOtherwise(stem, stems) ? otherwiseShare : 0;
    overlap += weight * Math.max(share, inTitle ? titleShare : 0);
    if (inTitle) continue;
    asked += 1;
    told += share;
  }
  return { overlap: Math.min(1, overlap), aspect: asked === 0 ? 1 : told / asked };
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
