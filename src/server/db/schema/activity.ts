import { bigint, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { ActivityType } from '#shared/dashboard.ts';
import { apiKeys } from './api-keys.ts';
import { createdAt, id, moment, reference } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** What people did, written in the transaction that did it. */
export const events = pgTable(
  'events',
  {
    id: id(),
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** No foreign key: it names nobody once the account is gone, whose deletion would wait for all of them. */
    actorId: reference(),
    type: text().$type<ActivityType>().notNull(),
    description: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('events_workspace').on(table.workspaceId, table.id),
    index('events_created').on(table.createdAt),
  ],
);

/** API requests by calendar month (UTC), for the quota of requests; written as those by hour are. */
export const monthlyRequests = pgTable(
  'monthly_requests',
  {
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    month: moment().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.month] }),
    index('monthly_requests_month').on(table.month),
  ],
);

/** API requests of keys by hour (UTC); written as those of workspaces are, and kept for some days. */
export const keyCounters = pgTable(
  'key_counters',
  {
    keyId: reference()
      .notNull()
      .references(() => apiKeys.id, { onDelete: 'cascade' }),
    hour: moment().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.keyId, table.hour] }), index('key_counters_hour').on(table.hour)],
);

/** API requests by hour (UTC); written in batches, never in a request's way. */
export const usageCounters = pgTable(
  'usage_counters',
  {
    workspaceId: reference()
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** The project the request was about; 0: none, or several. No foreign key: what was counted outlives the project. */
    projectId: reference().notNull(),
    hour: moment().notNull(),
    requests: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.projectId, table.hour] }),
    index('usage_counters_hour').on(table.hour),
  ],
);
