import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Permission } from '#shared/api-keys.ts';
import { bytea, createdAt, deletedAt, id, moment, reference } from './columns.ts';
import { projects } from './workspaces.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    id: id(),
    projectId: reference()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** SHA-256 of the whole key: how it is looked up. */
    hash: bytea().notNull(),
    /** AES-256-GCM: nonce, ciphertext, tag; bound to this row by its additional data. */
    ciphertext: bytea().notNull(),
    lastFour: text().notNull(),
    /** Of the value before a rotation, which is good until then; all three or none. */
    formerHash: bytea(),
    formerLastFour: text(),
    formerUntil: moment(),
    permissions: text().array().$type<Permission[]>().notNull(),
    /** Collections it is limited to; null: all of the project's. */
    collectionIds: bigint({ mode: 'number' }).array(),
    isActive: boolean().notNull().default(true),
    lastUsedAt: moment(),
    expiresAt: moment(),
    createdAt: createdAt(),
    deletedAt: deletedAt(),
  },
  (table) => [
    uniqueIndex('api_keys_hash').on(table.hash),
    uniqueIndex('api_keys_former_hash').on(table.formerHash),
    index('api_keys_project').on(table.projectId),
    index('api_keys_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
);
