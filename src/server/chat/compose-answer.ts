import type { AnswerSentence } from '#shared/chat.ts';
import { evidenceMin, evidenceOf } from './evidence.ts';
import type { Question, QuestionKind } from './question.ts';
import type { ScoredPassage } from './score-passages.ts';
import { valueSentence } from './value-sentence.ts';
import { stemsOf } from './words.ts';

export interface Composed {
  text: string;
  sentences: AnswerSentence[];
}

/** A question for one thing is answered in a sentence or two. */
const sentencesMax: Record<QuestionKind, number> = {
  who: 2,
  when: 2,
  where: 2,
  'how many': 2,
  'yes or no': 2,
  which: 3,
  why: 3,
  how: 3,
  definition: 3,
  open: 3,
};
/** Further sentences are almost as good as the best. */
const shareOfBest = 0.78;
/** Sentences that have so many of their words in common say the same. */
const sameShare = 0.7;

/** An answer of sentences as they stand in the sources that answer, and of short fields in a sentence, each with its `[n]`. Null: none of them is enough about the question. */
export function composeAnswer(scored: ScoredPassage[], question: Question): Composed | null {
  const good = scored.filter((each) => evidenceOf(each, question) >= evidenceMin);
  const answering = new Set(good.map(({ source }) => source));
  const chosen: ScoredPassage[] = [];
  for (const each of scored) {
    if (!answering.has(each.source)) continue;
    if (chosen.length === sentencesMax[question.kind]) break;
    if (each.score < (good[0]?.score ?? 0) * shareOfBest) break;
    if (!chosen.some((other) => isNearDouble(each, other))) chosen.push(each);
  }
  return chosen.length === 0 ? null : written(inOrder(chosen));
}

function isNearDouble(a: ScoredPassage, b: ScoredPassage): boolean {
  const [own, other] = [saidBy(a), saidBy(b)];
  let common = 0;
  for (const stem of own) if (other.has(stem)) common += 1;
  return common >= sameShare * Math.min(own.size, other.size);
}

/** Of values without what their field is called: "Year: 1982" says nothing beside a sentence that has the year. */
function saidBy({ passage: { kind, text }, stems }: ScoredPassage): ReadonlySet<string> {
  return kind === 'value' ? stemsOf(text.slice(text.indexOf(': ') + 1)) : stems;
}

/** The best one's source first; of a source in its own order. */
function inOrder(chosen: ScoredPassage[]): ScoredPassage[] {
  const sources = [...new Set(chosen.map(({ number }) => number))];
  return chosen.toSorted(
    (a, b) => sources.indexOf(a.number) - sources.indexOf(b.number) || a.place - b.place,
  );
}

function written(chosen: ScoredPassage[]): Composed {
  let text = '';
  const sentences = chosen.map(({ number, source, passage }): AnswerSentence => {
    const title = source.title === source.id ? null : source.title;
    const said = passage.kind === 'value' ? valueSentence(title, passage) : passage.text;
    const start = text.length === 0 ? 0 : text.length + 1;
    const end = start + said.length;
    text += `${start === 0 ? '' : ' '}${said} [${number}]`;
    const citations = passage.spans.map((span) => ({ source: number, ...span }));
    return { start, end, supported: true, citations };
  });
  return { text, sentences };
}

/** What is said where nothing was found. */
export function nothingFound(collections: readonly { name: string }[]): string {
  const [first, ...others] = collections;
  const where = others.length === 0 ? `“${first?.name ?? ''}”` : `these ${collections.length} collections`;
  return `I found nothing about this in ${where}.`;
}
