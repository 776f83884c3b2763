import { z } from 'zod';
import { collectionName } from './collections.ts';
import { documentId } from './document-id.ts';
import { limits } from './limits.ts';

/** As many as a page of the console has, and some more. */
const documentsMax = 20;
/** A document has no longer path. */
const pathCharactersMax = limits.jsonDepthMax * (limits.jsonKeyCharactersMax + 1);
/** A document has no longer text. */
const offset = z.int().min(0).max(limits.documentBytesMax);

/** As a hit tells it, in UTF-16 offsets. Whether the document has such a one is seen when it is read. */
const foundPassage = z.strictObject({
  field: z.string().max(pathCharactersMax),
  start: offset,
  end: offset,
});
export type FoundPassage = z.infer<typeof foundPassage>;

/** Of documents that a search has found, the sentence whose meaning is nearest to the words: of the passage that was found, where one is named. */
export const nearestSentencesInput = z.strictObject({
  collection: collectionName,
  query: z.string().min(1).max(limits.queryCharactersMax),
  hits: z
    .array(z.strictObject({ id: documentId, passage: foundPassage.optional() }))
    .min(1)
    .max(documentsMax),
});

export interface NearestSentence {
  /** Of the document. */
  id: string;
  /** Where it stands, of an element of a list with its place: `notes.0`. */
  field: string;
  /** In the field's text, in UTF-16 offsets. */
  start: number;
  end: number;
  text: string;
  /** Of its meaning and that of the words, from -1 to 1. */
  similarity: number;
}
