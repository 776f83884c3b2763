import { z } from 'zod';
import { atMost, description, entityId, moment, name } from './fields.ts';
import { limits, metrics } from './limits.ts';
import { pageFields } from './pages.ts';

export const fieldTypes = ['string', 'number', 'boolean', 'date', 'geopoint'] as const;
export type FieldType = (typeof fieldTypes)[number];

const declaredField = z.strictObject({
  name: z.string().trim().min(1, 'is required').max(256, atMost(256)),
  type: z.enum(fieldTypes),
  required: z.boolean().default(false),
});
export type DeclaredField = z.infer<typeof declaredField>;

export const passageCharactersMax = 4_000;
/** Measured on judged sets: shorter passages find less (decision 077). A text as long as is embedded at all has some 40 of them. */
export const passageDefaults = { passage_characters: 2_000, passages_max: 64 };

const collectionMetadata = z.strictObject({
  fields: z
    .array(declaredField)
    .max(limits.metadataFieldsMax, `declare at most ${limits.metadataFieldsMax} fields`)
    .superRefine((fields, context) => {
      const names = new Set<string>();
      for (const [index, { name }] of fields.entries()) {
        if (names.has(name))
          context.addIssue({ code: 'custom', message: 'field names must differ', path: [index, 'name'] });
        names.add(name);
      }
    })
    .describe('field names must differ')
    .optional(),
  embed: z
    .strictObject({
      fields: z
        .array(z.string().min(1).max(256))
        .min(1)
        .max(100)
        .optional()
        .describe('Which text fields are embedded, in order; absent: all prose fields, the title first'),
      passage_characters: z
        .int()
        .min(600)
        .max(passageCharactersMax)
        .optional()
        .describe(
          `A longer text has a vector for each passage of about so many characters; ${passageDefaults.passage_characters} by default`,
        ),
      passages_max: z
        .int()
        .min(1)
        .max(64)
        .optional()
        .describe(
          `What lies beyond so many passages of a document is not embedded; ${passageDefaults.passages_max} by default, 1: texts are never cut`,
        ),
    })
    .optional(),
});
export type CollectionMetadata = z.infer<typeof collectionMetadata>;

/** What can be set, at the beginning and later. */
const settings = z.strictObject({ name, description, isActive: z.boolean() });

/** What is decided once. */
const nature = z.strictObject({
  dimension: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(limits.dimensionMax, `must be at most ${limits.dimensionMax}`),
  metric: z.enum(metrics),
  metadata: collectionMetadata.nullable(),
});

export const collectionShape = z
  .object({
    id: z.int(),
    ...settings.shape,
    ...nature.shape,
    projectId: z.int(),
    documentCount: z.int(),
    /** What makes its documents' vectors: `builtin`, `builtin:rotated` (fewer than 384 components, rotated before they are cut), the model of a service (`openai:` and its name), or one in a directory (`onnx:`, its name and a digest). */
    model: z.string(),
    /** Documents that the transformer has read, all others being found by the vectors of the static table; or that the service has given vectors. */
    upgradedCount: z.int(),
    createdAt: moment,
    updatedAt: moment,
  })
  .meta({ id: 'Collection' });
export type Collection = z.output<typeof collectionShape>;

export const collectionWithProgress = collectionShape
  .extend({
    toUpgradeCount: z
      .int()
      .max(limits.toUpgradeCountMax)
      .describe(
        `Documents that are still to be read by the transformer, or given vectors by the service: none without a text, and none whose vector came with it. ${limits.toUpgradeCountMax} stands for more, too`,
      ),
  })
  .meta({ id: 'CollectionWithProgress' });
export type CollectionWithProgress = z.output<typeof collectionWithProgress>;
/** How many documents the index was made of. */
export const repairedShape = z.object({ documents: z.int() });

export const vectorScans = ['bits', 'lists', 'int8', 'exact', 'graph'] as const;

/** What an index lacks of its record, or has beside it; all empty: they agree. Ids, `limits.verifyIdsMax` at most in all. */
export const verifiedShape = z
  .object({
    /** In the record. */
    documents: z.int(),
    /** In the index. */
    indexed: z.int(),
    /** In the record alone. */
    missing: z.array(z.string()),
    /** In the index alone. */
    ghosts: z.array(z.string()),
    /** In both, with different texts. */
    stale: z.array(z.string()),
    /** There are more than are named. */
    more: z.boolean(),
    /** What a search by meaning compares first: a bit for each component of a vector, those of the nearest `lists` of vectors alone, a byte for each component, or the vectors themselves; `graph`: those that a graph leads to. */
    scan: z.enum(vectorScans),
    /** Share of the ten nearest documents that it finds, measured on the index's own vectors as they become more. */
    recall: z.number(),
  })
  .meta({ id: 'Verified' });
export type Verified = z.output<typeof verifiedShape>;

/** A collection's URL-decoded name, or its numeric id. */
export const collectionName = z
  .union([z.string().min(1).max(512), z.number().int()], 'must be a name or an id')
  .transform(String);
export const collectionRef = z.strictObject({ collection: collectionName });

export const collectionList = z.strictObject({
  projectId: entityId.optional(),
  workspaceId: entityId.optional(),
  ...pageFields,
});
/** Lists and searches carry it along with each collection. */
function isSmall(metadata: CollectionMetadata | null): boolean {
  return utf8Length(JSON.stringify(metadata)) <= limits.metadataBytesMax;
}

/** A surrogate is half of four bytes. */
function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) bytes += unit >= 0x800 && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

export const collectionCreate = settings.partial().extend({
  name,
  dimension: nature.shape.dimension.default(768),
  metric: nature.shape.metric.default('cosine'),
  metadata: nature.shape.metadata
    .refine(isSmall, `must be at most ${limits.metadataBytesMax / 1024} KB as JSON`)
    .optional(),
  /** Absent only for an API key, whose project it is. */
  projectId: entityId.optional(),
});
export const collectionUpdate = settings.partial().extend({ collection: collectionName });
/** Undoes a deletion: by id only, since the name may have been given away. */
export const collectionRestore = z.strictObject({ id: entityId });
