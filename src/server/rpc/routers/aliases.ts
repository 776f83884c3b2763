import { and, eq, isNull, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { aliases, collections } from '#server/db/schema/collections.ts';
import { members, projects } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import { type Alias, aliasList, aliasPut, aliasRef, aliasShape } from '#shared/aliases.ts';
import { limits } from '#shared/limits.ts';
import { readPage } from '../read-page.ts';
import {
  assertRole,
  assertVisible,
  type CallerContext,
  collectionOwnedBy,
  getCollection,
  isMembership,
  type Writing,
} from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, keyProcedure, router } from '../trpc.ts';
import { unlessNameTaken } from '../unless-name-taken.ts';

/** Whoever may see its collection sees an alias. */
function selectAliases(ctx: Pick<CallerContext, 'principal' | 'db'>, narrow: SQL | undefined) {
  return ctx.db
    .select({
      alias: aliases,
      collection: collections.name,
      workspaceId: projects.workspaceId,
      role: members.role,
    })
    .from(aliases)
    .innerJoin(collections, and(eq(collections.id, aliases.collectionId), isNull(collections.deletedAt)))
    .innerJoin(projects, and(eq(projects.id, aliases.projectId), isNull(projects.deletedAt)))
    .leftJoin(members, isMembership(ctx.principal))
    .where(and(collectionOwnedBy(ctx), narrow))
    .orderBy(aliases.projectId, aliases.name);
}

type AliasRow = Awaited<ReturnType<typeof selectAliases>>[number];

function toAlias({ alias, collection }: Pick<AliasRow, 'alias' | 'collection'>): Alias {
  return toEntity(aliasShape, { ...alias, collection });
}

const inProject = (projectId: number | undefined) =>
  projectId === undefined ? undefined : eq(aliases.projectId, projectId);

/** @throws AppError NOT_FOUND, CONFLICT (several projects have one of this name), FORBIDDEN (role) */
async function getAlias(
  ctx: CallerContext,
  { name, projectId }: { name: string; projectId?: number | undefined },
): Promise<AliasRow> {
  const [found, another] = await selectAliases(ctx, and(eq(aliases.name, name), inProject(projectId))).limit(
    2,
  );
  if (!found) throw notFound('Alias');
  if (another) {
    throw new AppError('CONFLICT', 'Several projects have an alias of this name; say which by projectId');
  }
  ctx.noteUsage?.({ workspaceId: found.workspaceId, projectId: found.alias.projectId });
  if (found.role !== null) assertRole(found.role, ctx.roleMin);
  return found;
}

/** Others search by an alias, whatever its collection. @throws AppError FORBIDDEN */
function assertWholeProject({ principal }: CallerContext): void {
  if (principal.kind === 'key' && principal.collectionIds) {
    throw new AppError(
      'FORBIDDEN',
      'This API key is limited to certain collections; it cannot change aliases',
    );
  }
}

/** Once it is in, for which those who add to one project take turns. @throws AppError UNPROCESSABLE */
async function assertNotTooMany({ db }: Writing, projectId: number): Promise<void> {
  const most = limits.aliasesPerProjectMax;
  if ((await db.$count(aliases, eq(aliases.projectId, projectId))) > most) {
    throw new AppError('UNPROCESSABLE', `A project has at most ${most} aliases`);
  }
}

/** As the audit keeps it. */
const told = ({ alias, collection }: Pick<AliasRow, 'alias' | 'collection'>) => ({
  alias: alias.name,
  collection,
  collectionId: alias.collectionId,
});

export const aliasesRouter = router({
  list: keyProcedure('read')
    .meta({
      rest: {
        at: 'GET /api/aliases',
        summary: 'List aliases of collections',
        answer: 'page',
        output: z.array(aliasShape),
      },
    })
    .input(aliasList.prefault({}))
    .query(async ({ ctx, input }) => {
      await assertVisible(ctx, input);
      const which = inProject(input.projectId);
      const rows = (narrow?: SQL) => selectAliases(ctx, and(which, narrow));
      return (await readPage(ctx, input, { id: aliases.id, rows })).map(toAlias);
    }),

  get: keyProcedure('read')
    .meta({ rest: { at: 'GET /api/aliases/{alias:name}', summary: 'Get an alias', output: aliasShape } })
    .input(aliasRef)
    .query(async ({ ctx, input }) => toAlias(await getAlias(ctx, input))),

  /** One row is written, so that a call finds the one collection or the other. */
  put: keyProcedure('write')
    .meta({
      act: 'Alias set',
      rest: {
        at: 'PUT /api/aliases/{alias:name}',
        summary: 'Make an alias, or let it name another collection',
        example: { name: 'movies', collection: 'films' },
        output: aliasShape,
      },
    })
    .input(aliasPut)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { name, collection } }) => {
      assertWholeProject(ctx);
      const { id: collectionId, projectId, workspaceId, ...target } = await getCollection(ctx, collection);
      const [before] = await selectAliases(ctx, and(eq(aliases.name, name), inProject(projectId)));
      const now = ctx.deps.clock();
      const [alias] = await unlessNameTaken(
        name,
        ctx.db
          .insert(aliases)
          .values({ projectId, name, collectionId, createdAt: now, updatedAt: now })
          .onConflictDoUpdate({
            target: [aliases.projectId, aliases.name],
            set: { collectionId, updatedAt: now },
          })
          .returning(),
      );
      if (!alias) throw new Error('the written alias was not returned');
      if (!before) await assertNotTooMany(ctx, projectId);
      const after = { alias, collection: target.name };
      ctx.audit({
        workspaceId,
        target: { kind: 'collection', id: collectionId, name: target.name },
        ...(before && { before: told(before) }),
        after: told(after),
      });
      return toAlias(after);
    }),

  delete: keyProcedure('write')
    .meta({
      act: 'Alias deleted',
      rest: {
        at: 'DELETE /api/aliases/{alias:name}',
        summary: 'Delete an alias; its collection stays',
        output: aliasShape,
      },
    })
    .input(aliasRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      assertWholeProject(ctx);
      const found = await getAlias(ctx, input);
      const { projectId, name, collectionId: id } = found.alias;
      const [deleted] = await ctx.db
        .delete(aliases)
        .where(and(eq(aliases.projectId, projectId), eq(aliases.name, name)))
        .returning();
      if (!deleted) throw notFound('Alias');
      ctx.audit({
        workspaceId: found.workspaceId,
        target: { kind: 'collection', id, name: found.collection },
        before: told(found),
      });
      return toAlias(found);
    }),
});
