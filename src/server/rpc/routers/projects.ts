import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { ReadDatabase } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import { type Project, projectCreate, projectList, projectRef, projectUpdate } from '#shared/projects.ts';
import { slugOf } from '#shared/slug.ts';
import { hideProject } from '../deletion/hide.ts';
import { restoreProject } from '../deletion/restore-project.ts';
import { recordEvent } from '../events.ts';
import { getProject, getWorkspace, workspacesOf } from '../scope.ts';
import { inDeletion, inTransaction, memberProcedure, router } from '../trpc.ts';

/** Living projects with their counts, oldest first. */
async function listProjects(db: ReadDatabase, which: SQL | undefined): Promise<Project[]> {
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

async function getFullProject(db: ReadDatabase, id: number): Promise<Project> {
  const [project] = await listProjects(db, eq(projects.id, id));
  if (!project) throw notFound('Project');
  return project;
}

export const projectsRouter = router({
  list: memberProcedure('viewer')
    .meta({ rest: { at: 'GET /api/projects', summary: 'List projects' } })
    .input(projectList.prefault({}))
    .query(async ({ ctx, input }) => {
      if (input.workspaceId === undefined) {
        return await listProjects(ctx.db, inArray(projects.workspaceId, workspacesOf(ctx)));
      }
      const workspace = await getWorkspace(ctx, input.workspaceId);
      return await listProjects(ctx.db, eq(projects.workspaceId, workspace.id));
    }),

  get: memberProcedure('viewer')
    .meta({ rest: { at: 'GET /api/projects/{id}', summary: 'Get a project' } })
    .input(projectRef)
    .query(async ({ ctx, input }) => {
      const { id } = await getProject(ctx, input.id);
      return await getFullProject(ctx.db, id);
    }),

  create: memberProcedure('editor')
    .meta({ rest: { at: 'POST /api/projects', summary: 'Create a project', answer: 'created' } })
    .input(projectCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const workspace = await getWorkspace(ctx, input.workspaceId, 'share');
      const now = ctx.deps.clock();
      const slug = input.slug || slugOf(input.name);
      const [created] = await ctx.db
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
        await ctx.db
          .update(projects)
          .set({ slug: `project-${created.id}` })
          .where(eq(projects.id, created.id));
      }
      await recordEvent(ctx, {
        workspaceId: workspace.id,
        type: 'project_created',
        description: `Project "${input.name}" was created`,
      });
      return await getFullProject(ctx.db, created.id);
    }),

  update: memberProcedure('editor')
    .meta({ rest: { at: 'PUT /api/projects/{id}', summary: 'Update a project' } })
    .input(projectUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { id, workspaceId } = await getProject(ctx, input.id);
      await ctx.db
        .update(projects)
        .set({
          ...(input.name !== undefined && { name: input.name }),
          ...(input.description !== undefined && { description: input.description || null }),
          updatedAt: ctx.deps.clock(),
        })
        .where(and(eq(projects.id, id), isNull(projects.deletedAt)));
      const updated = await getFullProject(ctx.db, id);
      await recordEvent(ctx, {
        workspaceId,
        type: 'project_updated',
        description: `Project "${updated.name}" was updated`,
      });
      return updated;
    }),

  delete: memberProcedure('admin')
    .meta({ rest: { at: 'DELETE /api/projects/{id}', summary: 'Delete a project' } })
    .input(projectRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input }) => {
      const { id, workspaceId } = await getProject(ctx, input.id);
      const project = await getFullProject(ctx.db, id);
      await recordEvent(ctx, {
        workspaceId,
        type: 'project_deleted',
        description: `Project "${project.name}" was deleted`,
      });
      await hideProject(ctx, id);
      return project;
    }),

  restore: memberProcedure('admin')
    .input(projectRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      const { id, workspaceId, name } = await restoreProject(ctx, input.id);
      await recordEvent(ctx, {
        workspaceId,
        type: 'project_restored',
        description: `Project "${name}" was restored`,
      });
      return await getFullProject(ctx.db, id);
    }),
});
