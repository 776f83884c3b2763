import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { plans } from '#shared/plans.ts';
import { roles } from '#shared/roles.ts';
import { users } from './accounts.ts';
import { createdAt, deletedAt, id, moment, reference, updatedAt } from './columns.ts';

export const workspaces = pgTable(
  'workspaces',
  {
    id: id(),
    name: text().notNull(),
    description: text(),
    slug: text().notNull(),
    plan: text({ enum: plans }).notNull().default('free'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: deletedAt(),
  },
  (table) => [index('workspaces_deleted').on(table.deletedAt).where(sql`deleted_at is not null`)],
);

export const members = pgTable(
  'members',
  {
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: roles }).notNull(),
    /** Of several owners, the one who has been it longest is whose account pays. */
    roleSince: moment().notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.userId] }),
    index('members_user').on(table.userId),
  ],
);

export const projects = pgTable(
  'projects',
  {
    id: id(),
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    description: text(),
    slug: text().notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: deletedAt(),
  },
  (table) => [
    index('projects_workspace').on(table.workspaceId),
    index('projects_deleted').on(table.deletedAt).where(sql`deleted_at is not null`),
  ],
);
