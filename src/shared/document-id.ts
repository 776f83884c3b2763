import { z } from 'zod';
import { limits } from './limits.ts';

/** Of a document, as it is given to name one. The record knows no other: Postgres has no text with U+0000, nor halves of surrogate pairs. */
export const documentId = z
  .string()
  .min(1)
  .max(limits.documentIdBytesMax)
  .refine((id) => !id.includes('\u0000') && id.isWellFormed(), 'must be well-formed, without U+0000');
