import { and, isNull, sql } from 'drizzle-orm';
import { maskApiKey } from '#server/auth/keys/key-format.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { lastDayBegins } from '#server/telemetry/telemetry.ts';
import { type ApiKey, apiKeyShape } from '#shared/api-keys.ts';
import type { MemberContext } from './scope.ts';
import { toEntity } from './to-entity.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

interface Known {
  /** Of the collections it is limited to, those that still exist. */
  names: string[];
  lastUsed: Date | undefined;
  requests: number | undefined;
  now: Date;
}

/** As everybody may see it: masked. */
export function shownKey(row: ApiKeyRow, { names, lastUsed, requests, now }: Known): ApiKey {
  const { formerLastFour, formerUntil } = row;
  const hasFormer = formerLastFour !== null && formerUntil !== null && formerUntil > now;
  return toEntity(apiKeyShape, {
    ...row,
    key: maskApiKey(row.lastFour),
    collections: row.collectionIds && names,
    lastUsed: lastUsed ?? row.lastUsedAt,
    requestsLast24h: requests ?? 0,
    former: hasFormer ? { lastFour: formerLastFour, until: formerUntil.toISOString() } : null,
  });
}

type Context = Pick<MemberContext, 'deps' | 'db'>;

/** Read before the key's row is locked: it waits for counts that are being written, and these wait for the row. */
export async function requestsOfKey({ deps, db }: Context, id: number): Promise<number> {
  const requests = await deps.telemetry.requestsOfKeys(db, [id], lastDayBegins(deps.clock()));
  return requests.get(id) ?? 0;
}

export async function toApiKey(ctx: Context, row: ApiKeyRow, requests: number): Promise<ApiKey> {
  const known = {
    lastUsed: ctx.deps.auth.pendingUses().get(row.id),
    requests,
    now: ctx.deps.clock(),
  };
  if (row.collectionIds === null) return shownKey(row, { ...known, names: [] });
  const named = await ctx.db
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(and(isAnyOf(collections.id, row.collectionIds), isNull(collections.deletedAt)));
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const inOrder = row.collectionIds.flatMap((id) => names.get(id) ?? []);
  return shownKey(row, { ...known, names: inOrder });
}

/** Those names in the key's order, as a column of a list of keys, so that they count among the bytes of its page. */
export const namesOfLimits = sql<string[] | null>`(
  select json_agg(${collections.name} order by limited.place)
  from unnest(${apiKeys.collectionIds}) with ordinality as limited (to_collection, place)
  join ${collections} on ${collections.id} = limited.to_collection and ${collections.deletedAt} is null)`.as(
  'names',
);
