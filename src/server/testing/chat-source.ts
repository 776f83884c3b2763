import { passagesOf, titleOf } from '../chat/passages.ts';
import type { Source } from '../chat/retrieve.ts';

/** A document as it was found for a question. */
export async function sourceOf(document: { id: string; [field: string]: string }): Promise<Source> {
  const collection = {
    id: 1,
    name: 'films',
    for: { tenant: 'test', caller: 'test' },
    dimension: 8,
    metric: 'cosine' as const,
    metadata: null,
    rulesVersion: 0,
  };
  const passages = await passagesOf(document, { words: new Set(), sentencesMax: 1_000 }, async () => {});
  const { id } = document;
  return { collection, id, title: titleOf(document), score: 1, version: 1, isMeant: false, passages };
}
