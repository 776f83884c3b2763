import { z } from 'zod';
import { collectionName } from './collections.ts';
import { documentId } from './document-id.ts';
import { limits } from './limits.ts';

/** As many as a page of the console has, and some more. */
const documentsMax = 20;

/** Of documents that a search has found, the sentence whose meaning is nearest to the words. */
export const nearestSentencesInput = z.strictObject({
  collection: collectionName,
  query: z.string().min(1).max(limits.queryCharactersMax),
  ids: z.array(documentId).min(1).max(documentsMax),
});

export interface NearestSentence {
  /** Of the document. */
  id: string;
  /** Where it stands, of an element of a list with its place: `notes.0`. */
  field: string;
  text: string;
  /** Of its meaning and that of the words, from -1 to 1. */
  similarity: number;
}
