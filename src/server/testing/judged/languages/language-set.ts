import type { CorpusRow, JudgedSet } from '../judged-set.ts';

/** A document of a collection in one language, and a question that it answers and no other does. */
export type AskedDocument = readonly [title: string, text: string, question: string];

/** Documents and two sets: what people ask, and the titles themselves. */
export function languageSets(
  name: string,
  documents: readonly AskedDocument[],
): { rows: CorpusRow[]; sets: JudgedSet[] } {
  const rows = documents.map(([title, text], i) => ({ _id: `${i}`, title, text }));
  const setOf = (kind: string, ask: (document: AskedDocument) => string) => ({
    name: `${name}: ${kind}`,
    queries: documents.map((document, i) => ({
      id: `${i}`,
      text: ask(document),
      grades: new Map([[`${i}`, 1]]),
    })),
  });
  return {
    rows,
    sets: [setOf('questions', ([, , question]) => question), setOf('titles', ([title]) => title)],
  };
}
