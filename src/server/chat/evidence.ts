import type { Question } from './question.ts';
import type { ScoredPassage } from './score-passages.ts';

/** Below it nothing that was found answers: `scripts/measure-chat.mjs` chose it and the weights, docs/chat.md has the figures. */
export const evidenceMin = 0.52;

/** Of questions with no more words than this each word that is missing counts whole, of longer ones less. */
const shortWords = 4;

type EvidenceParts = Record<'overlap' | 'coverage' | 'similarity' | 'lacking' | 'unnamed' | 'short', number>;

const weights: EvidenceParts = {
  overlap: 1.64,
  coverage: 1.66,
  similarity: 4.9,
  lacking: -1.89,
  unnamed: -0.19,
  short: -1.7,
};
const constant = -2.76;

/**
 * What tells whether a passage answers the question, each from 0 to 1: how many of the question's words it holds and its document does, how near it
 * is by meaning, what it lacks of a short question, and which names. A short question needs more of each: any document holds some of few words.
 * @public what weighs them is chosen by a script
 */
export function evidencePartsOf(
  { overlap, coverage, similarity, names }: ScoredPassage,
  { weights: words }: Question,
): EvidenceParts {
  const short = Math.min(1, shortWords / Math.max(1, words.size));
  return { overlap, coverage, similarity, lacking: (1 - overlap) * short, unnamed: 1 - names, short };
}

/** How sure it is that a passage answers the question, from 0 to 1. */
export function evidenceOf(passage: ScoredPassage, question: Question): number {
  const parts = evidencePartsOf(passage, question);
  let sum = constant;
  for (const [name, weight] of Object.entries(weights)) sum += weight * parts[name as keyof EvidenceParts];
  return 1 / (1 + Math.exp(-sum));
}
