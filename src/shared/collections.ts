import { z } from 'zod';
import { description, entityId, name } from './fields.ts';
import { limits, type Metric, metrics } from './limits.ts';

export const fieldTypes = ['string', 'number', 'boolean', 'date'] as const;
export type FieldType = (typeof fieldTypes)[number];

export const declaredField = z.strictObject({
  name: z.string().trim().min(1, 'is required').max(256),
  type: z.enum(fieldTypes),
  required: z.boolean().default(false),
});
export type DeclaredField = z.infer<typeof declaredField>;

export const collectionMetadata = z.strictObject({
  fields: z
    .array(declaredField)
    .max(limits.metadataFieldsMax)
    .refine(
      (fields) => new Set(fields.map((field) => field.name)).size === fields.length,
      'field names must differ',
    )
    .optional(),
  /** Which text fields are embedded, in order; absent: all prose fields, the title first. */
  embed: z.strictObject({ fields: z.array(z.string().min(1).max(256)).min(1).max(100) }).optional(),
});
export type CollectionMetadata = z.infer<typeof collectionMetadata>;

export interface Collection {
  id: number;
  name: string;
  description: string | null;
  dimension: number;
  metric: Metric;
  projectId: number;
  metadata: CollectionMetadata | null;
  documentCount: number;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A collection's URL-decoded name, or its numeric id. */
export const collectionName = z
  .union([z.string().min(1).max(512), z.number().int()], 'must be a name or an id')
  .transform(String);
export const collectionRef = z.strictObject({ collection: collectionName });

export const collectionList = z.strictObject({
  projectId: entityId.optional(),
  workspaceId: entityId.optional(),
});
export const collectionCreate = z.strictObject({
  name,
  description: description.optional(),
  dimension: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(limits.dimensionMax, `must be at most ${limits.dimensionMax}`)
    .default(768),
  metric: z.enum(metrics).default('cosine'),
  /** Absent only for an API key, whose project it is. */
  projectId: entityId.optional(),
  metadata: collectionMetadata.nullish(),
});
export const collectionUpdate = z.strictObject({
  collection: collectionName,
  name: name.optional(),
  description: description.optional(),
  isActive: z.boolean().optional(),
});
/** Undoes a deletion: by id only, since the name may have been given away. */
export const collectionRestore = z.strictObject({ id: entityId });
