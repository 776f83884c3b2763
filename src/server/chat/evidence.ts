import type { ScoredPassage } from './score-passages.ts';

/** Below it nothing that was found answers: `scripts/measure-chat.mjs` chose it, docs/chat.md has the figures. */
export const evidenceMin = 0.46;

/** How sure it is that a passage is about the question, from 0 to 1. */
export function evidenceOf({ overlap, similarity }: ScoredPassage): number {
  return 0.65 * overlap + 0.35 * similarity;
}
