import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { hashApiKey, keyBinding, makeApiKey, maskApiKey } from '#server/auth/keys/key-format.ts';
import type { ReadDatabase } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { AppError, notFound } from '#server/errors.ts';
import {
  type ApiKey,
  apiKeyCreate,
  apiKeyList,
  apiKeyRef,
  apiKeyShape,
  apiKeyUpdate,
} from '#shared/api-keys.ts';
import { limits } from '#shared/limits.ts';
import { readPage } from '../read-page.ts';
import { changesOf, recordAct } from '../record-act.ts';
import { assertRole, getInProject, getProject, type MemberContext } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, memberProcedure, router } from '../trpc.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

const getApiKey = (ctx: MemberContext, id: number) => getInProject(ctx, apiKeys, { id, called: 'API key' });

/** As everybody may see it: masked, and with the names of the collections it is limited to that still exist. */
function shown(row: ApiKeyRow, names: string[], lastUsed: Date | undefined): ApiKey {
  return toEntity(apiKeyShape, {
    ...row,
    key: maskApiKey(row.lastFour),
    collections: row.collectionIds && names,
    lastUsed: lastUsed ?? row.lastUsedAt,
  });
}

async function toApiKey(ctx: Pick<MemberContext, 'deps' | 'db'>, row: ApiKeyRow): Promise<ApiKey> {
  const lastUsed = ctx.deps.auth.pendingUses().get(row.id);
  if (row.collectionIds === null) return shown(row, [], lastUsed);
  const named = await ctx.db
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(and(isAnyOf(collections.id, row.collectionIds), isNull(collections.deletedAt)));
  const names = new Map(named.map(({ id, name }) => [id, name]));
  const inOrder = row.collectionIds.flatMap((id) => names.get(id) ?? []);
  return shown(row, inOrder, lastUsed);
}

/** Those names in the key's order, as a column of a list of keys, so that they count among the bytes of its page. */
const names = sql<string[] | null>`(
  select json_agg(${collections.name} order by limited.place)
  from unnest(${apiKeys.collectionIds}) with ordinality as limited (to_collection, place)
  join ${collections} on ${collections.id} = limited.to_collection and ${collections.deletedAt} is null)`.as(
  'names',
);

/** @throws AppError BAD_REQUEST naming the place of each name that the project has no collection for */
async function resolveNames(db: ReadDatabase, projectId: number, names: string[]): Promise<number[]> {
  const rows = await db
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(
      and(
        eq(collections.projectId, projectId),
        isAnyOf(collections.name, names),
        isNull(collections.deletedAt),
      ),
    );
  const ids = new Map(rows.map(({ id, name }) => [name, id]));
  const details = names.flatMap((name, place) =>
    ids.has(name)
      ? []
      : [{ path: `collections.${place}`, message: `this project has no collection "${name}"` }],
  );
  const [first] = details;
  if (first) throw new AppError('BAD_REQUEST', `${first.path}: ${first.message}`, { details });
  return [...new Set(names.flatMap((name) => ids.get(name) ?? []))];
}

const moment = (text: string | null | undefined) => (text ? new Date(text) : null);

export const apiKeysRouter = router({
  list: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/api-keys',
        summary: "List a project's API keys",
        answer: 'page',
        output: z.array(apiKeyShape),
      },
    })
    .input(apiKeyList)
    .query(async ({ ctx, input }) => {
      const { id } = await getProject(ctx, input.projectId);
      const uses = ctx.deps.auth.pendingUses();
      const rows = (narrow?: SQL) =>
        ctx.db
          .select({ ...getTableColumns(apiKeys), names })
          .from(apiKeys)
          .where(and(eq(apiKeys.projectId, id), narrow))
          .orderBy(apiKeys.id);
      const page = await readPage(ctx, input, { id: apiKeys.id, rows });
      return page.map((row) => shown(row, row.names ?? [], uses.get(row.id)));
    }),

  create: memberProcedure('admin')
    .meta({
      rest: {
        at: 'POST /api/api-keys',
        summary: 'Create an API key',
        example: { name: 'Website', projectId: 1, permissions: ['read'] },
        answer: 'created',
        output: apiKeyShape,
      },
    })
    .input(apiKeyCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { secrets, clock } = ctx.deps;
      // One after the other, so that none counts while another is being added.
      const project = await getProject(ctx, input.projectId, 'no key update');
      const existing = await ctx.db.$count(apiKeys, eq(apiKeys.projectId, project.id));
      if (existing >= limits.apiKeysPerProjectMax) {
        throw new AppError('UNPROCESSABLE', `A project has at most ${limits.apiKeysPerProjectMax} API keys`);
      }
      const key = makeApiKey();
      const { collections: names, expiresAt, ...given } = input;
      const [inserted] = await ctx.db
        .insert(apiKeys)
        .values({
          ...given,
          hash: hashApiKey(key),
          // Its own id is part of what the ciphertext is bound to, so it follows in this transaction.
          ciphertext: new Uint8Array(),
          lastFour: key.slice(-4),
          permissions: [...new Set(given.permissions)],
          collectionIds: names ? await resolveNames(ctx.db, project.id, names) : null,
          expiresAt: moment(expiresAt),
          createdAt: clock(),
        })
        .returning({ id: apiKeys.id });
      if (!inserted) throw new Error('the inserted key was not returned');
      const [created] = await ctx.db
        .update(apiKeys)
        .set({ ciphertext: secrets.seal(key, keyBinding(project.id, inserted.id)) })
        .where(eq(apiKeys.id, inserted.id))
        .returning();
      if (!created) throw new Error('the inserted key was not found');
      const { workspaceId } = project;
      await ctx.deps.quotas.assertRoom(ctx.db, workspaceId, { keys: 1 });
      const { id, name, permissions, isActive } = created;
      const after = { permissions, collections: names ?? null, isActive, expiresAt: created.expiresAt };
      await recordAct(ctx, 'api_key_created', { workspaceId, id, name, after });
      return { ...(await toApiKey(ctx, created)), key };
    }),

  /** The whole key. One that writes is for those who may write themselves. */
  reveal: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'POST /api/api-keys/{id}/reveal',
        summary: 'Show a whole API key',
        body: null,
        output: apiKeyShape,
      },
    })
    .input(apiKeyRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { row, role, workspaceId } = await getApiKey(ctx, input.id);
      if (row.permissions.includes('write')) assertRole(role, 'editor');
      const key = ctx.deps.secrets.open(row.ciphertext, keyBinding(row.projectId, row.id));
      ctx.audit({ workspaceId, target: { kind: 'api_key', id: row.id, name: row.name } });
      return { ...(await toApiKey(ctx, row)), key };
    }),

  update: memberProcedure('admin')
    .meta({
      rest: {
        at: 'PUT /api/api-keys/{id}',
        summary: 'Rename, disable or expire an API key',
        example: { id: 1, isActive: false },
        output: apiKeyShape,
      },
    })
    .input(apiKeyUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { id, expiresAt, ...changes } = input;
      const moments = expiresAt === undefined ? {} : { expiresAt: moment(expiresAt) };
      const { row: before, workspaceId } = await getApiKey(ctx, id);
      const [updated] = await ctx.db
        .update(apiKeys)
        .set({
          // Only what was sent: writing back what was read would revive a key that somebody disabled meanwhile. A column always stands here.
          ...changes,
          name: changes.name ?? sql`${apiKeys.name}`,
          ...moments,
        })
        .where(eq(apiKeys.id, id))
        .returning();
      if (!updated) throw notFound('API key');
      const { name } = updated;
      const changed = changesOf({ ...changes, ...moments }, before, updated);
      const isRevoked = before.isActive && !updated.isActive;
      const action = isRevoked ? { action: 'apiKeys.revoke' } : {};
      await recordAct(ctx, 'api_key_updated', { workspaceId, id, name, ...changed, ...action });
      return await toApiKey(ctx, updated);
    }),

  /** At once and for good: a key that may have leaked must not come back. */
  delete: memberProcedure('admin')
    .meta({ rest: { at: 'DELETE /api/api-keys/{id}', summary: 'Delete an API key', output: apiKeyShape } })
    .input(apiKeyRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const { row: key, workspaceId } = await getApiKey(ctx, input.id);
      const [deleted] = await ctx.db.delete(apiKeys).where(eq(apiKeys.id, key.id)).returning();
      if (!deleted) throw notFound('API key');
      const { id, name } = key;
      await recordAct(ctx, 'api_key_deleted', { workspaceId, id, name });
      return await toApiKey(ctx, deleted);
    }),
});
