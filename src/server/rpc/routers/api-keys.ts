import { and, count, eq, inArray, isNull, sql } from 'drizzle-orm';
import { hashApiKey, keyBinding, makeApiKey } from '#server/auth/key-format.ts';
import type { SecretBox } from '#server/auth/secret-box.ts';
import type { Database } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type ApiKey, apiKeyCreate, apiKeyList, apiKeyRef, apiKeyUpdate } from '#shared/api-keys.ts';
import { limits } from '#shared/limits.ts';
import { recordEvent } from '../events.ts';
import { assertRole, findProject, type MemberContext } from '../scope.ts';
import { memberProcedure, router } from '../trpc.ts';

type ApiKeyRow = typeof apiKeys.$inferSelect;

async function findApiKey(
  ctx: MemberContext,
  id: number,
  db: Database,
): Promise<{ key: ApiKeyRow; workspaceId: number }> {
  const [row] = await db
    .select({ key: apiKeys, workspaceId: projects.workspaceId, role: members.role })
    .from(apiKeys)
    .innerJoin(projects, and(eq(projects.id, apiKeys.projectId), isNull(projects.deletedAt)))
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .innerJoin(members, and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId)))
    .where(eq(apiKeys.id, id));
  if (!row) throw notFound('API key');
  assertRole(row.role, ctx.roleMin);
  return row;
}

function reveal(secrets: SecretBox, row: ApiKeyRow): Pick<ApiKey, 'key' | 'keyUnavailable'> {
  try {
    return { key: secrets.open(row.ciphertext, keyBinding(row.projectId, row.id)), keyUnavailable: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { key: null, keyUnavailable: error.message };
  }
}

/** As the console shows them: the key itself, and the names of the collections it is limited to that still exist. */
async function describeKeys(secrets: SecretBox, db: Database, rows: ApiKeyRow[]): Promise<ApiKey[]> {
  const ids = [...new Set(rows.flatMap((row) => row.collectionIds ?? []))];
  const named =
    ids.length === 0
      ? []
      : await db
          .select({ id: collections.id, name: collections.name })
          .from(collections)
          .where(and(inArray(collections.id, ids), isNull(collections.deletedAt)));
  const names = new Map(named.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    ...reveal(secrets, row),
    lastFour: row.lastFour,
    projectId: row.projectId,
    permissions: row.permissions,
    collections: row.collectionIds?.flatMap((id) => names.get(id) ?? []) ?? null,
    isActive: row.isActive,
    lastUsed: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }));
}

async function describeKey(secrets: SecretBox, db: Database, row: ApiKeyRow): Promise<ApiKey> {
  const [key] = await describeKeys(secrets, db, [row]);
  if (!key) throw new Error('a row was described as nothing');
  return key;
}

/** @throws AppError BAD_REQUEST naming the place of each name that the project has no collection for */
async function resolveNames(db: Database, projectId: number, names: string[]): Promise<number[]> {
  const rows = await db
    .select({ id: collections.id, name: collections.name })
    .from(collections)
    .where(
      and(
        eq(collections.projectId, projectId),
        inArray(collections.name, names),
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
    .input(apiKeyList)
    .query(async ({ ctx, input }) => {
      const { auth, record, secrets } = ctx.deps;
      const { id } = await findProject(ctx, input.projectId);
      await auth.flush();
      const rows = await record.db
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.projectId, id))
        .orderBy(apiKeys.id);
      return await describeKeys(secrets, record.db, rows);
    }),

  create: memberProcedure('admin')
    .input(apiKeyCreate)
    .mutation(async ({ ctx, input }) => {
      const { record, secrets, clock } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const project = await findProject(ctx, input.projectId, tx, 'share');
        const [existing] = await tx
          .select({ keys: count() })
          .from(apiKeys)
          .where(eq(apiKeys.projectId, project.id));
        if (existing && existing.keys >= limits.apiKeysPerProjectMax) {
          throw new AppError(
            'UNPROCESSABLE',
            `A project has at most ${limits.apiKeysPerProjectMax} API keys`,
          );
        }
        const key = makeApiKey();
        const [inserted] = await tx
          .insert(apiKeys)
          .values({
            projectId: project.id,
            name: input.name,
            hash: hashApiKey(key),
            // Its own id is part of what the ciphertext is bound to, so it follows in this transaction.
            ciphertext: new Uint8Array(),
            lastFour: key.slice(-4),
            permissions: [...new Set(input.permissions)],
            collectionIds: input.collections ? await resolveNames(tx, project.id, input.collections) : null,
            expiresAt: moment(input.expiresAt),
            createdAt: clock(),
          })
          .returning({ id: apiKeys.id });
        if (!inserted) throw new Error('the inserted key was not returned');
        const [created] = await tx
          .update(apiKeys)
          .set({ ciphertext: secrets.seal(key, keyBinding(project.id, inserted.id)) })
          .where(eq(apiKeys.id, inserted.id))
          .returning();
        if (!created) throw new Error('the inserted key was not found');
        await recordEvent(ctx, tx, {
          workspaceId: project.workspaceId,
          type: 'api_key_created',
          description: `API key "${created.name}" was created`,
        });
        return await describeKey(secrets, tx, created);
      });
    }),

  update: memberProcedure('admin')
    .input(apiKeyUpdate)
    .mutation(async ({ ctx, input }) => {
      const { record, secrets } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const { key, workspaceId } = await findApiKey(ctx, input.id, tx);
        const [updated] = await tx
          .update(apiKeys)
          .set({
            // Only what was sent: writing back what was read would revive a key that somebody disabled meanwhile. A column always stands here.
            name: input.name ?? sql`${apiKeys.name}`,
            ...(input.isActive !== undefined && { isActive: input.isActive }),
            ...(input.expiresAt !== undefined && { expiresAt: moment(input.expiresAt) }),
          })
          .where(eq(apiKeys.id, key.id))
          .returning();
        if (!updated) throw notFound('API key');
        await recordEvent(ctx, tx, {
          workspaceId,
          type: 'api_key_updated',
          description: `API key "${updated.name}" was updated`,
        });
        return await describeKey(secrets, tx, updated);
      });
    }),

  /** At once and for good: a key that may have leaked must not come back. */
  delete: memberProcedure('admin')
    .input(apiKeyRef)
    .mutation(async ({ ctx, input }) => {
      const { record, secrets } = ctx.deps;
      return await record.db.transaction(async (tx) => {
        const { key, workspaceId } = await findApiKey(ctx, input.id, tx);
        const [deleted] = await tx.delete(apiKeys).where(eq(apiKeys.id, key.id)).returning();
        if (!deleted) throw notFound('API key');
        await recordEvent(ctx, tx, {
          workspaceId,
          type: 'api_key_deleted',
          description: `API key "${key.name}" was deleted`,
        });
        return await describeKey(secrets, tx, deleted);
      });
    }),
});
