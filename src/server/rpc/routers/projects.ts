import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { type Project, projectCreate, projectList, projectRef, projectUpdate } from '#shared/projects.ts';
import { slugOf } from '#shared/slug.ts';
import { dropIndexes, hideProject, restoreProject } from '../deletion.ts';
import { recordEvent } from '../events.ts';
import { findProject, findWorkspace, workspacesOf } from '../scope.ts';
import { memberProcedure, router } from '../trpc.ts';

/** Living projects with their counts, oldest first. */
async function describeProjects(db: Database, which: SQL | undefined): Promise<Project[]> {
  const rows = await db
    .select({
      project: projects,
      collectionsCount: sql`(select count(*) from ${collections}
        where ${collections.projectId} = ${projects.id} and ${collections.deletedAt} is null)`.mapWith(
        Number,
      ),
      apiKeysCount:
        sql`(select count(*) from ${apiKeys} where ${apiKeys.projectId} = ${projects.id})`.mapWith(Number),
    })
    .from(projects)
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .where(and(which, isNull(projects.deletedAt)))
    .orderBy(projects.id);
  return rows.map(({ project, collectionsCount, apiKeysCount }) => {
    const { id, name, description, slug, workspaceId } = project;
    return {
      id,
      name,
      description,
      slug,
      workspaceId,
      collectionsCount,
      apiKeysCount,
      createdAt: project.createdAt.toISOString(),
      updatedAt: project.updatedAt.toISOString(),
    };
  });
}

async function describeProject(db: Database, id: number): Promise<Project> {
  const [project] = await describeProjects(db, eq(projects.id, id));
  if (!project) throw notFound('Project');
  return project;
}

export const projectsRouter = router({
  list: memberProcedure('viewer')
    .input(projectList.prefault({}))
    .query(async ({ ctx, input }) => {
      const { db } = ctx.deps.record;
      if (input.workspaceId === undefined) {
        return await describeProjects(db, inArray(projects.workspaceId, workspacesOf(ctx.principal, db)));
      }
      const workspace = await findWorkspace(ctx, input.workspaceId);
      return await describeProjects(db, eq(projects.workspaceId, workspace.id));
    }),

  get: memberProcedure('viewer')
    .input(projectRef)
    .query(async ({ ctx, input }) => {
      const { id } = await findProject(ctx, input.id);
      return await describeProject(ctx.deps.record.db, id);
    }),

  create: memberProcedure('editor')
    .input(projectCreate)
    .mutation(async ({ ctx, input }) => {
      const { record, clock } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const workspace = await findWorkspace(ctx, input.workspaceId, tx, 'share');
        const now = clock();
        const slug = input.slug || slugOf(input.name);
        const [created] = await tx
          .insert(projects)
          .values({
            workspaceId: workspace.id,
            name: input.name,
            description: input.description || null,
            slug,
            createdAt: now,
            updatedAt: now,
          })
          .returning({ id: projects.id });
        if (!created) throw new Error('the inserted project was not returned');
        if (slug === '') {
          await tx
            .update(projects)
            .set({ slug: `project-${created.id}` })
            .where(eq(projects.id, created.id));
        }
        await recordEvent(ctx, tx, {
          workspaceId: workspace.id,
          type: 'project_created',
          description: `Project "${input.name}" was created`,
        });
        return await describeProject(tx, created.id);
      });
    }),

  update: memberProcedure('editor')
    .input(projectUpdate)
    .mutation(async ({ ctx, input }) => {
      const { record, clock } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const { id, workspaceId } = await findProject(ctx, input.id, tx);
        await tx
          .update(projects)
          .set({
            ...(input.name !== undefined && { name: input.name }),
            ...(input.description !== undefined && { description: input.description || null }),
            updatedAt: clock(),
          })
          .where(and(eq(projects.id, id), isNull(projects.deletedAt)));
        const updated = await describeProject(tx, id);
        await recordEvent(ctx, tx, {
          workspaceId,
          type: 'project_updated',
          description: `Project "${updated.name}" was updated`,
        });
        return updated;
      });
    }),

  delete: memberProcedure('admin')
    .input(projectRef)
    .mutation(async ({ ctx, input }) => {
      const { deleted, collectionIds } = await ctx.deps.record.db.transaction(async (tx) => {
        const { id, workspaceId } = await findProject(ctx, input.id, tx);
        const project = await describeProject(tx, id);
        await recordEvent(ctx, tx, {
          workspaceId,
          type: 'project_deleted',
          description: `Project "${project.name}" was deleted`,
        });
        return { deleted: project, collectionIds: await hideProject(tx, id, ctx.deps.clock()) };
      });
      await dropIndexes(ctx, collectionIds);
      return deleted;
    }),

  restore: memberProcedure('admin')
    .input(projectRef)
    .mutation(async ({ ctx, input }) => {
      const { record } = ctx.deps;
      await record.assertWritable();
      return await record.db.transaction(async (tx) => {
        const { id, workspaceId, name } = await restoreProject(ctx, tx, input.id);
        await recordEvent(ctx, tx, {
          workspaceId,
          type: 'project_restored',
          description: `Project "${name}" was restored`,
        });
        return await describeProject(tx, id);
      });
    }),
});
