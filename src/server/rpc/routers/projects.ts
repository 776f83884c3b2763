import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { ReadDatabase } from '#server/db/client.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { collections } from '#server/db/schema/collections.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import { notFound } from '#server/errors.ts';
import {
  type Project,
  projectCreate,
  projectList,
  projectRef,
  projectShape,
  projectUpdate,
} from '#shared/projects.ts';
import { slugOf } from '#shared/slug.ts';
import { hideProject } from '../deletion/hide.ts';
import { assertRoomForProject, restoreProject } from '../deletion/restore-project.ts';
import { readPage } from '../read-page.ts';
import { changesOf, recordAct } from '../record-act.ts';
import { getProject, getWorkspace, type ProjectRow, workspacesOf } from '../scope.ts';
import { toEntity } from '../to-entity.ts';
import { inDeletion, inTransaction, memberProcedure, router } from '../trpc.ts';

interface CountedProject {
  project: ProjectRow;
  collectionsCount: number;
  apiKeysCount: number;
}

/** Living projects with their counts, oldest first. */
function selectProjects(db: ReadDatabase, which: SQL | undefined) {
  const collectionsCount = sql`(select count(*) from ${collections}
    where ${collections.projectId} = ${projects.id} and ${collections.deletedAt} is null)`.mapWith(Number);
  const apiKeysCount = sql`(select count(*) from ${apiKeys}
    where ${apiKeys.projectId} = ${projects.id} and ${apiKeys.deletedAt} is null)`.mapWith(Number);
  return db
    .select({ project: projects, collectionsCount, apiKeysCount })
    .from(projects)
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .where(and(which, isNull(projects.deletedAt)))
    .orderBy(projects.id);
}

const toProject = ({ project, ...counts }: CountedProject): Project =>
  toEntity(projectShape, { ...project, ...counts });

async function getCountedProject(db: ReadDatabase, id: number): Promise<Project> {
  const [found] = await selectProjects(db, eq(projects.id, id));
  if (!found) throw notFound('Project');
  return toProject(found);
}

export const projectsRouter = router({
  list: memberProcedure('viewer')
    .meta({
      rest: {
        at: 'GET /api/projects',
        summary: 'List projects',
        answer: 'page',
        output: z.array(projectShape),
      },
    })
    .input(projectList.prefault({}))
    .query(async ({ ctx, input }) => {
      const { workspaceId } = input;
      const which =
        workspaceId === undefined
          ? inArray(projects.workspaceId, workspacesOf(ctx))
          : eq(projects.workspaceId, (await getWorkspace(ctx, workspaceId)).id);
      const rows = (narrow?: SQL) => selectProjects(ctx.db, and(which, narrow));
      return (await readPage(ctx, input, { id: projects.id, rows })).map(toProject);
    }),

  get: memberProcedure('viewer')
    .meta({ rest: { at: 'GET /api/projects/{id}', summary: 'Get a project', output: projectShape } })
    .input(projectRef)
    .query(async ({ ctx, input }) => {
      const { id } = await getProject(ctx, input.id);
      return await getCountedProject(ctx.db, id);
    }),

  create: memberProcedure('editor')
    .meta({
      act: 'Project created',
      rest: {
        at: 'POST /api/projects',
        summary: 'Create a project',
        example: { name: 'Library', workspaceId: 1 },
        answer: 'created',
        output: projectShape,
      },
    })
    .input(projectCreate)
    .use(inTransaction)
    .mutation(async ({ ctx, input }) => {
      await getWorkspace(ctx, input.workspaceId, 'no key update');
      await assertRoomForProject(ctx.db, input.workspaceId);
      const now = ctx.deps.clock();
      const slug = input.slug || slugOf(input.name);
      const [created] = await ctx.db
        .insert(projects)
        .values({ ...input, slug, createdAt: now, updatedAt: now })
        .returning({ id: projects.id });
      if (!created) throw new Error('the inserted project was not returned');
      const { id } = created;
      if (slug === '') {
        await ctx.db
          .update(projects)
          .set({ slug: `project-${id}` })
          .where(eq(projects.id, id));
      }
      const project = await getCountedProject(ctx.db, id);
      const { workspaceId, name, description } = project;
      const after = { description, slug: project.slug };
      await recordAct(ctx, 'project_created', { workspaceId, id, name, after });
      return project;
    }),

  update: memberProcedure('editor')
    .meta({
      act: 'Project updated',
      rest: {
        at: 'PUT /api/projects/{id}',
        summary: 'Update a project',
        example: { id: 1, name: 'Library', description: 'Books and films' },
        output: projectShape,
      },
    })
    .input(projectUpdate)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id, ...changes } }) => {
      const before = await getProject(ctx, id);
      await ctx.db
        .update(projects)
        .set({ ...changes, updatedAt: ctx.deps.clock() })
        .where(and(eq(projects.id, id), isNull(projects.deletedAt)));
      const updated = await getCountedProject(ctx.db, id);
      const { workspaceId, name } = updated;
      const changed = changesOf(changes, before, updated);
      await recordAct(ctx, 'project_updated', { workspaceId, id, name, ...changed });
      return updated;
    }),

  delete: memberProcedure('admin')
    .meta({
      act: 'Project deleted',
      rest: { at: 'DELETE /api/projects/{id}', summary: 'Delete a project', output: projectShape },
    })
    .input(projectRef)
    .use(inDeletion)
    .mutation(async ({ ctx, input: { id } }) => {
      const { workspaceId, name } = await getProject(ctx, id);
      const deleted = await getCountedProject(ctx.db, id);
      await recordAct(ctx, 'project_deleted', { workspaceId, id, name });
      await hideProject(ctx, id);
      return deleted;
    }),

  restore: memberProcedure('admin')
    .meta({ act: 'Project restored' })
    .input(projectRef)
    .use(inTransaction)
    .mutation(async ({ ctx, input: { id } }) => {
      const { workspaceId, name } = await restoreProject(ctx, id);
      await recordAct(ctx, 'project_restored', { workspaceId, id, name });
      return await getCountedProject(ctx.db, id);
    }),
});
