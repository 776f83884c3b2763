import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { StoredAnswer } from '#shared/chat.ts';
import { apiKeys } from './api-keys.ts';
import { createdAt, deletedAt, id, reference, updatedAt } from './columns.ts';
import { projects } from './workspaces.ts';

/** What somebody asked and was answered about collections of one project: a user's, or a key's. */
export const conversations = pgTable(
  'conversations',
  {
    id: id(),
    projectId: reference()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    /** No foreign key: an account goes at once, its conversations in the purge's slices. */
    userId: reference(),
    keyId: reference().references(() => apiKeys.id, { onDelete: 'cascade' }),
    /** Of a key that many share: who of them began it, by a name that tells no address. */
    beginner: text(),
    name: text().notNull(),
    createdAt: createdAt(),
    /** When it went on last. */
    updatedAt: updatedAt(),
    deletedAt: deletedAt(),
  },
  (table) => [
    index('conversations_project').on(table.projectId),
    index('conversations_user').on(table.userId, table.updatedAt),
    index('conversations_key').on(table.keyId, table.updatedAt),
    index('conversations_updated').on(table.updatedAt),
    index('conversations_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
    check('conversations_owner', sql`num_nonnulls(user_id, key_id) = 1`),
  ],
);

export const conversationMessages = pgTable(
  'conversation_messages',
  {
    id: id(),
    conversationId: reference()
      .notNull()
      .references(() => conversations.id, { onDelete: 'cascade' }),
    /** The conversation's, so that a project's messages are purged in slices. */
    projectId: reference()
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    role: text({ enum: ['user', 'assistant'] }).notNull(),
    content: text().notNull(),
    /** Of an answer. */
    answer: jsonb().$type<StoredAnswer>(),
    createdAt: createdAt(),
  },
  (table) => [
    index('conversation_messages_conversation').on(table.conversationId, table.id),
    index('conversation_messages_project').on(table.projectId),
    index('conversation_messages_created').on(table.createdAt),
  ],
);

/** The documents that an answer cites, in the versions that it quotes. No foreign key: an answer outlives what it cites, and says so. */
export const citedDocuments = pgTable(
  'cited_documents',
  {
    messageId: reference()
      .notNull()
      .references(() => conversationMessages.id, { onDelete: 'cascade' }),
    /** Which of the answer's sources, from 1. */
    source: integer().notNull(),
    collectionId: reference().notNull(),
    documentId: text().notNull(),
    /** The collection version that wrote it. */
    version: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.source] })],
);
