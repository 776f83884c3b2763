import { and, eq, getTableColumns, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { hashApiKey, keyBinding, makeApiKey } from '#server/auth/keys/key-format.ts';
import type { ReadDatabase } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { AppError, notFound } from '#server/errors.ts';
import { hourMs, lastDayBegins } from '#server/telemetry/telemetry.ts';
import {
  apiKeyCreate,
  apiKeyList,
  apiKeyRef,
  apiKeyRotate,
  apiKeyShape,
  apiKeyUpdate,
} from '#shared/api-keys.ts';
import { assertRoomForKey, restoreApiKey } from '../deletion/restore-api-key.ts';
import { readPage } from '../read-page.ts';
import { changesOf, recordAct } from '../record-act.ts';
import { assertRole, getInProject, getProject, type MemberContext } from '../scope.ts';
import { namesOfLimits, requestsOfKey, shownKey, toApiKey } from '../to-api-key.ts';
import { inDeletion, inTransaction, memberProcedure, router } from '../trpc.ts';

const getApiKey = (ctx: MemberContext, id: number) =>
  getInProject(ctx, apiKeys, { id, called: 'API key', which: isNull(apiKeys.deletedAt) });

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
          .select({ ...getTableColumns(apiKeys), names: namesOfLimits })
          .from(apiKeys)
          .where(and(eq(apiKeys.projectId, id), isNull(apiKeys.deletedAt), narrow))
          .orderBy(apiKeys.id);
      const page = await readPage(ctx, input, { id: apiKeys.id, rows });
      const now = ctx.deps.clock();
      const ids = page.map((row) => row.id);
      const requests = await ctx.deps.telemetry.requestsOfKeys(ctx.db, ids, lastDayBegins(now));
      return page.map((row) =>
        shownKey(row, {
          names: row.names ?? [],
          lastUsed: uses.get(row.id),
          requests: requests.get(row.id),
          now,
        }),
      );
    }),

  create: memberProcedure('admin')
    .meta({
      act: 'API key created',
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
      await assertRoomForKey(ctx.db, project.id);
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
      return { ...(await toApiKey(ctx, created, 0)), key };
    }),

  /** The whole key. One that writes is for those who may write themselves. */
  reveal: memberProcedure('viewer')
    .meta({
      act: 'API key revealed',
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
      return { ...(await toApiKey(ctx, row, await requestsOfKey(ctx, row.id))), key };
    }),

  /** A new value for the same key; the former one works on for a while, so that nothing stands still while it is changed. */
  rotate: memberProcedure('admin')
    .meta({
      act: 'API key rotated',
      rest: {
        at: 'POST /api/api-keys/{id}/rotate',
        summary: 'Give an API key a new value',
        description: 'The former value works beside it until the grace ends.',
        example: { id: 1, graceHours: 24 },
        output: apiKeyShape,
      },
    })
    .input(apiKeyRotate)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id, graceHours } }) => {
      const { row: before, workspaceId } = await getApiKey(ctx, id);
      const requests = await requestsOfKey(ctx, id);
      const { secrets, clock } = ctx.deps;
      const now = clock();
      // A third value would cut off whoever has still the first.
      if (before.formerUntil !== null && before.formerUntil > now)
        throw new AppError(
          'CONFLICT',
          `Its former value still works until ${before.formerUntil.toISOString()}; end that first`,
        );
      const until = graceHours === 0 ? null : new Date(now.getTime() + graceHours * hourMs);
      const key = makeApiKey();
      const [rotated] = await ctx.db
        .update(apiKeys)
        .set({
          hash: hashApiKey(key),
          ciphertext: secrets.seal(key, keyBinding(before.projectId, id)),
          lastFour: key.slice(-4),
          formerHash: until && before.hash,
          formerLastFour: until && before.lastFour,
          formerUntil: until,
        })
        .where(and(eq(apiKeys.id, id), eq(apiKeys.hash, before.hash)))
        .returning();
      if (!rotated) throw new AppError('CONFLICT', 'It was rotated by somebody else meanwhile');
      const after = { lastFour: rotated.lastFour, formerUntil: until };
      const changed = { before: { lastFour: before.lastFour }, after };
      await recordAct(ctx, 'api_key_updated', { workspaceId, id, name: rotated.name, ...changed });
      return { ...(await toApiKey(ctx, rotated, requests)), key };
    }),

  update: memberProcedure('admin')
    .meta({
      act: 'API key updated',
      rest: {
        at: 'PUT /api/api-keys/{id}',
        summary: 'Rename, disable or expire an API key',
        description: '`former: null` ends the grace of a rotation now.',
        example: { id: 1, isActive: false },
        output: apiKeyShape,
      },
    })
    .input(apiKeyUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { id, expiresAt, former, ...changes } = input;
      const moments = {
        ...(expiresAt !== undefined && { expiresAt: moment(expiresAt) }),
        ...(former === null && { formerUntil: null }),
      };
      const { row: before, workspaceId } = await getApiKey(ctx, id);
      const requests = await requestsOfKey(ctx, id);
      const [updated] = await ctx.db
        .update(apiKeys)
        .set({
          // Only what was sent: writing back what was read would revive a key that somebody disabled meanwhile. A column always stands here.
          ...changes,
          name: changes.name ?? sql`${apiKeys.name}`,
          ...moments,
          ...(former === null && { formerHash: null, formerLastFour: null }),
        })
        .where(eq(apiKeys.id, id))
        .returning();
      if (!updated) throw notFound('API key');
      const { name } = updated;
      const changed = changesOf({ ...changes, ...moments }, before, updated);
      const isRevoked = before.isActive && !updated.isActive;
      const action = isRevoked ? { action: 'apiKeys.revoke' } : {};
      await recordAct(ctx, 'api_key_updated', { workspaceId, id, name, ...changed, ...action });
      return await toApiKey(ctx, updated, requests);
    }),

  /** It stops at once. Within the time of Undo its row stays, so that it can come back with its value; then nothing is left of it. */
  delete: memberProcedure('admin')
    .meta({
      act: 'API key deleted',
      rest: { at: 'DELETE /api/api-keys/{id}', summary: 'Delete an API key', output: apiKeyShape },
    })
    .input(apiKeyRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input: { id } }) => {
      const { workspaceId } = await getApiKey(ctx, id);
      const requests = await requestsOfKey(ctx, id);
      const [deleted] = await ctx.db
        .update(apiKeys)
        .set({ deletedAt: ctx.deps.clock() })
        .where(and(eq(apiKeys.id, id), isNull(apiKeys.deletedAt)))
        .returning();
      if (!deleted) throw notFound('API key');
      await recordAct(ctx, 'api_key_deleted', { workspaceId, id, name: deleted.name });
      return await toApiKey(ctx, deleted, requests);
    }),

  /** For the console's Undo. */
  restore: memberProcedure('admin')
    .meta({ act: 'API key restored' })
    .input(apiKeyRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id } }) => {
      const requests = await requestsOfKey(ctx, id);
      const { row, workspaceId } = await restoreApiKey(ctx, id);
      await recordAct(ctx, 'api_key_restored', { workspaceId, id, name: row.name });
      return await toApiKey(ctx, row, requests);
    }),
});
