/** How well a document answers a query: 0 not at all, 1 it is relevant, 2 very, 3 the best there is. */
export const grades = { notRelevant: 0, relevant: 1, best: 3 } as const;

/** A query as it is judged: in small letters, with single blanks. */
export function judgedQuery(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}
