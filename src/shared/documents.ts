import { z } from 'zod';
import { collectionName } from './collections.ts';
import { documentId } from './document-id.ts';
import { documentedAs } from './documented-as.ts';
import { entityId, moment } from './fields.ts';
import { limits } from './limits.ts';
import { pageFields } from './pages.ts';
import { fieldList, flag, jsonObject, wholeNumber } from './parameters.ts';

export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };
/** A document as the caller sees it: any JSON object; `id` is always there and always a string. */
export type StoredDocument = { id: string } & { [key: string]: JsonValue };

export const writeActions = ['create', 'upsert', 'update', 'emplace'] as const;
/**
 * What a write does where the id is taken or free: `create` 409 if present · `upsert` replaces or creates ·
 * `update` merges, 404 if absent · `emplace` merges or creates.
 */
export type WriteAction = (typeof writeActions)[number];

/** Any JSON object; `documents` checks it (id, reserved `embedding`, declared fields), because a fault must name its path. */
const documentBody = documentedAs(jsonObject(), z.record(z.string(), z.unknown()));

export const documentRef = z.strictObject({ collection: collectionName, id: documentId });
export const documentGet = documentRef.extend({ include_embedding: flag.optional() });
export const documentWrite = z.strictObject({
  collection: collectionName,
  action: z.enum(writeActions).default('upsert'),
  document: documentBody,
});
export const documentReplace = documentRef.extend({
  document: documentBody,
  /** Refused unless this version wrote what is replaced. */
  if_version: wholeNumber(1).optional(),
});
export const documentMerge = documentRef.extend({ document: documentBody });

/** `*`: whatever is there. */
export type IfMatch = '*' | string[];
const entityTag = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;
/** A header's text: entity tags as they were answered, quotes and all, between commas; or `*`. */
const entityTags = documentedAs(
  z
    .string()
    .max(limits.ifMatchCharactersMax)
    .transform((text, context): IfMatch => {
      if (text.trim() === '*') return '*';
      const tags = text.split(',').map((tag) => tag.trim());
      if (tags.every((tag) => entityTag.test(tag))) return tags;
      context.addIssue({
        code: 'custom',
        message: 'must be * or an ETag as it was answered, quotes and all, or several between commas',
      });
      return z.NEVER;
    }),
  z.string().max(limits.ifMatchCharactersMax),
);
/** Given in a header: refused unless what is replaced or merged into has one of these tags. */
export const ifMatch = z.strictObject({ if_match: entityTags.optional() });

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
export const documentMergeMany = documentDeleteMany.extend({ document: documentBody });
export const documentExport = z.strictObject({
  collection: collectionName,
  filter_by: z.string().max(limits.filterCharactersMax).optional(),
  include_fields: fieldList.optional(),
  exclude_fields: fieldList.optional(),
});
/** JSON: names of columns, each with its field, or null where it is left out. */
const columnMapping = documentedAs(
  z
    .string()
    .max(limits.mappingCharactersMax)
    .transform((text, context) => {
      const parsed = mappingShape.safeParse(parsedOrNull(text));
      if (parsed.success) return parsed.data;
      context.addIssue({
        code: 'custom',
        message: 'must be a JSON object of names of columns, each with the name of its field or null',
      });
      return z.NEVER;
    }),
  z.string().max(limits.mappingCharactersMax),
);
const mappingShape = z.record(z.string(), z.string().min(1).max(limits.jsonKeyCharactersMax).nullable());

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema says what it should be.
    return null;
  }
}

export const documentImport = z.strictObject({
  collection: collectionName,
  action: z.enum(writeActions).default('upsert'),
  /** Counts and faults, and nothing is written. */
  dry_run: flag.default(false),
  /** Of a table: what stands between its cells. */
  delimiter: z
    .string()
    .regex(/^[\t\x20-\x7e]$/, 'must be one ASCII character')
    .refine((character) => character !== '"', 'must not be a quote')
    .optional(),
  mapping: columnMapping.optional(),
});

/** Any printable ASCII, as headers hold it. */
const idempotencyKey = z
  .string()
  .min(1)
  .max(limits.idempotencyKeyCharactersMax)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');
/** Given in a header. */
export const importKey = z.strictObject({ idempotency_key: idempotencyKey.optional() });

export const importStates = ['running', 'done', 'interrupted', 'canceled'] as const;
/** How far an import is. `interrupted`: its upload broke off, or this server did; one with a key goes on when it is sent again. */
export const importShape = z
  .object({
    id: z.int(),
    state: z.enum(importStates),
    action: z.enum(writeActions),
    idempotencyKey: z.string().nullable(),
    /** So many from the first have their results. */
    rows: z.int(),
    succeeded: z.int(),
    failed: z.int(),
    /** Why it ended before its end. */
    error: z.string().nullable(),
    startedAt: moment,
    updatedAt: moment,
    endedAt: moment.nullable(),
  })
  .meta({ id: 'Import' });
export type Import = z.output<typeof importShape>;
export const importRef = z.strictObject({ collection: collectionName, id: entityId });
export const importList = importKey.extend({ collection: collectionName, ...pageFields });

/** A document as it goes out; with `include_embedding` its vector is among its fields. */
export const documentShape = documentedAs(
  z.custom<StoredDocument>().meta({ id: 'Document' }),
  z.looseObject({ id: z.string() }),
);

/** A document as the record has it, with what a replacement that must not undo somebody else's work names. */
export const documentVersionShape = z
  .object({
    /** Grows with each write to the collection. */
    version: z.int(),
    /** Its vector came with it and stands until another is sent; none: it is made from the texts. */
    own_embedding: z.boolean(),
    document: documentShape,
  })
  .meta({ id: 'DocumentVersion' });
export type DocumentVersion<Document = StoredDocument> = Omit<
  z.output<typeof documentVersionShape>,
  'document'
> & { document: Document };

export const documentPageShape = z
  .object({ found: z.int(), page: z.int(), per_page: z.int(), documents: z.array(documentShape) })
  .meta({ id: 'DocumentPage' });
/** `Documents`: how the server holds them; what is read from JSON has the default. */
export type DocumentPage<Documents = StoredDocument[]> = Omit<
  z.output<typeof documentPageShape>,
  'documents'
> & { documents: Documents };

export const deletedShape = z.object({ deleted: z.int() });
export const updatedShape = z.object({ updated: z.int() });

/**
 * One row's fate, in input order; `index` is the 0-based place in the upload, `line` where a row of a table begins, `id` null when the row had
 * none to report. `retry_after`: of a row that failed for a passing reason, in how many seconds it can be sent again as it is.
 */
const importResult = z
  .object({
    index: z.int(),
    line: z.int().exactOptional(),
    id: z.string().nullable(),
    success: z.boolean(),
    code: z.string().exactOptional(),
    error: z.string().exactOptional(),
    retry_after: z.int().exactOptional(),
  })
  .meta({ id: 'ImportResult' });
export type ImportResult = z.output<typeof importResult>;

/** Rows that failed for the same cause: their messages differ in numbers and quoted texts alone. */
const importFault = z.object({
  code: z.string(),
  /** With N for numbers and "…" for quoted texts. */
  message: z.string(),
  count: z.int(),
  /** The first ones, by their `index`. */
  rows: z.array(z.int()),
  /** The longest that one of its rows has. */
  retry_after: z.int().exactOptional(),
});
export type ImportFault = z.output<typeof importFault>;

export const importSummaryShape = z
  .object({
    succeeded: z.int(),
    failed: z.int(),
    /** The most frequent first. */
    faults: z.array(importFault),
    /** What would be so if it were imported. */
    dry_run: z.literal(true).exactOptional(),
    results: z.array(importResult),
  })
  .meta({ id: 'ImportSummary' });
export type ImportSummary = z.output<typeof importSummaryShape>;
