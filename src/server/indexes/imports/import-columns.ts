import { getTableColumns, sql } from 'drizzle-orm';
import { imports } from '#server/db/schema/imports.ts';
import { isLiving } from '#server/db/servers.ts';

/** Of a row that is not over: whether its server lives. */
const isServed =
  sql<boolean>`case when ${imports.state} in ('running', 'canceled') and ${imports.endedAt} is null
  and ${imports.server} is not null then ${isLiving(imports.server)} else false end`.as('is_served');

/** What of an import's row is read to tell of it. */
export const importColumns = { ...getTableColumns(imports), isServed };

/** An import as it is read. */
export type ReadImport = typeof imports.$inferSelect & { isServed: boolean };
