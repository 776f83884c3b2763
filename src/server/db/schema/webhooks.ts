import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { webhookEvents } from '#shared/webhooks.ts';
import { bytea, createdAt, id, moment, reference, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** Where a workspace's alerts are sent. */
export const webhooks = pgTable(
  'webhooks',
  {
    id: id(),
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    url: text().notNull(),
    /** AES-256-GCM, as API keys are; bound to this row. */
    secret: bytea().notNull(),
    isActive: boolean().notNull().default(true),
    /** Until then one server sends what is due, and no other; in the past: when it last had its turn. */
    claimedUntil: moment(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('webhooks_workspace').on(table.workspaceId, table.id)],
);

/** A message to a webhook: one that waits, or what became of it. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: id(),
    webhookId: reference()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    event: text({ enum: webhookEvents }).notNull(),
    /** The same at each attempt, by which a receiver knows what it has already. */
    messageId: text().notNull(),
    /** As JSON: what is signed is what is sent, byte for byte. */
    body: text().notNull(),
    attempts: integer().notNull().default(0),
    /** Of the last attempt, all null before the first. */
    status: integer(),
    error: text(),
    sentAt: moment(),
    /** When it is due; null: it is over. */
    nextAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    index('webhook_deliveries_due').on(table.nextAt, table.webhookId).where(sql`next_at is not null`),
    index('webhook_deliveries_sent').on(table.webhookId, table.sentAt),
    index('webhook_deliveries_created').on(table.createdAt),
  ],
);
