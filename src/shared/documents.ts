import { z } from 'zod';
import { collectionName } from './collections.ts';
import { documentedAs } from './documented-as.ts';
import { limits } from './limits.ts';
import { fieldList, flag, jsonObject, wholeNumber } from './parameters.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** A document as the caller sees it: any JSON object; `id` is always there and always a string. */
export type StoredDocument = { id: string } & { [key: string]: JsonValue };

const writeActions = ['create', 'upsert', 'update', 'emplace'] as const;
/**
 * What a write does where the id is taken or free: `create` 409 if present · `upsert` replaces or creates ·
 * `update` merges, 404 if absent · `emplace` merges or creates.
 */
export type WriteAction = (typeof writeActions)[number];

/** Any JSON object; `documents` checks it (id, reserved `embedding`, declared fields), because a fault must name its path. */
const documentBody = documentedAs(jsonObject(), z.record(z.string(), z.unknown()));

const documentId = z.string().min(1).max(limits.documentIdBytesMax);
export const documentRef = z.strictObject({ collection: collectionName, id: documentId });
export const documentGet = documentRef.extend({ include_embedding: flag.optional() });
export const documentWrite = z.strictObject({
  collection: collectionName,
  action: z.enum(writeActions).default('upsert'),
  document: documentBody,
});
export const documentReplace = documentRef.extend({ document: documentBody });
export const documentMerge = documentRef.extend({ document: documentBody });

export const documentList = z.strictObject({
  collection: collectionName,
  page: wholeNumber(1).default(1),
  per_page: wholeNumber(1, limits.perPageMax).default(10),
  filter_by: z.string().max(limits.filterCharactersMax).optional(),
  sort_by: z.string().max(2_048).optional(),
  include_fields: fieldList.optional(),
  exclude_fields: fieldList.optional(),
});
export const documentDeleteMany = z.strictObject({
  collection: collectionName,
  filter_by: z.string().min(1, 'is required').max(limits.filterCharactersMax),
});
export const documentExport = z.strictObject({
  collection: collectionName,
  filter_by: z.string().max(limits.filterCharactersMax).optional(),
});
export const documentImport = z.strictObject({
  collection: collectionName,
  action: z.enum(writeActions).default('upsert'),
});

/** `Documents`: how the server holds them; what is read from JSON has the default. */
export interface DocumentPage<Documents = StoredDocument[]> {
  found: number;
  page: number;
  per_page: number;
  documents: Documents;
}

/** One row's fate, in input order; `index` is the 0-based place in the upload, `id` null when the row had none to report. */
export interface ImportResult {
  index: number;
  id: string | null;
  success: boolean;
  code?: string;
  error?: string;
}
export interface ImportSummary {
  succeeded: number;
  failed: number;
  results: ImportResult[];
}
