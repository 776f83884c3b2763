import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { CollectionMetadata } from '#shared/collections.ts';
import { metrics } from '#shared/limits.ts';
import { bytea, createdAt, deletedAt, id, reference, updatedAt } from './columns.ts';
import { projects } from './workspaces.ts';

export const collections = pgTable(
  'collections',
  {
    id: id(),
    projectId: reference()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text(),
    dimension: integer().notNull(),
    metric: text({ enum: metrics }).notNull(),
    metadata: jsonb().$type<CollectionMetadata>(),
    documentCount: integer().notNull().default(0),
    /** Of the documents' JSON texts, in UTF-8. */
    documentBytes: bigint({ mode: 'number' }).notNull().default(0),
    /** What makes its documents' vectors: `builtin`, `builtin:rotated`, or the id of a model beside it. */
    model: text().notNull().default('builtin'),
    /** Documents whose vectors the transformer made, or the service. */
    upgradedCount: integer().notNull().default(0),
    isActive: boolean().notNull().default(true),
    /** Advances by one with each write, under this row's lock; the engine applies writes in its order. */
    version: bigint({ mode: 'number' }).notNull().default(0),
    /** Deletions up to this version are no longer kept: a snapshot older than it cannot be caught up and is rebuilt. */
    prunedVersion: bigint({ mode: 'number' }).notNull().default(0),
    /** Advances with each change of its synonyms, overrides, presets and search settings; 0: it never had any. */
    rulesVersion: integer().notNull().default(0),
    /** It has an index in a search cluster: its versions are noted in `index_outbox`. */
    isIndexedApart: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: deletedAt(),
  },
  (table) => [
    uniqueIndex('collections_project_name').on(table.projectId, table.name).where(sql`deleted_at is null`),
    // Beside the partial one, which a cascade cannot use.
    index('collections_project').on(table.projectId),
    index('collections_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/**
 * Further names of a project's collections. In a project a name is a collection's or an alias, never both: a trigger of the record sees
 * to it, for which those who give names in one project take turns.
 */
export const aliases = pgTable(
  'aliases',
  {
    id: id(),
    projectId: reference()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('aliases_project_name').on(table.projectId, table.name),
    index('aliases_collection').on(table.collectionId),
  ],
);

export const documents = pgTable(
  'documents',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    /** The collection version that wrote it, or that upgraded its vectors. */
    version: bigint({ mode: 'number' }).notNull(),
    /** The version that wrote what callers see of it, where its vectors were upgraded by a later one; null: `version`. */
    writtenVersion: bigint({ mode: 'number' }),
    /** The caller's JSON as text, `id` included, `embedding` left out; never parsed in SQL. */
    source: text().notNull(),
    /** SHA-256 of what was embedded, so that an unchanged text keeps its vector. */
    contentHash: bytea().notNull(),
    /**
     * The embedder that made the vectors; `custom`: the caller's own; null: no vector. `pending`: the service has not made them yet; `refused`: it
     * does not make them of this text.
     */
    modelId: text(),
    /** Passages × dimension little-endian float32, row-major. */
    vectors: bytea(),
    /** Three integers a passage: text field's place, start, end. */
    spans: integer().array().notNull().default(sql`'{}'`),
  },
  (table) => [
    primaryKey({ columns: [table.collectionId, table.id] }),
    // No statement that asks by a collection's ids can use it, however few rows Postgres believes a collection to have: see `versionOrder`.
    index('documents_versions').on(sql`(collection_id + 0)`, table.version, table.id),
    // As `to-upgrade.ts` asks for them.
    index('documents_to_upgrade').on(table.collectionId, table.id).where(sql`model_id like 'static-%'`),
    index('documents_without_vectors')
      .on(table.collectionId, table.modelId, table.id)
      .where(sql`model_id in ('pending', 'refused')`),
  ],
);

/** Vectors of the model that a collection is moved to, beside the live ones, until all are there. */
export const nextVectors = pgTable(
  'next_vectors',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    /** Of the document that they were made of: of any other they are worth nothing. */
    version: bigint({ mode: 'number' }).notNull(),
    /** That it is moved to, as `model` of a collection. */
    model: text().notNull(),
    /** As of a document. */
    contentHash: bytea().notNull(),
    modelId: text(),
    vectors: bytea(),
    spans: integer().array().notNull().default(sql`'{}'`),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.id] })],
);

/** What left a collection, and with which version: replayed over a snapshot, pruned when a newer snapshot is written. */
export const deletions = pgTable(
  'deletions',
  {
    collectionId: reference()
      .notNull()
      .references(() => collections.id, { onDelete: 'cascade' }),
    id: text().notNull(),
    version: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.version, table.id] })],
);
