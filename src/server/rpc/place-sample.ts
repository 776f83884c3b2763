import { and, asc, eq, isNull, like, or } from 'drizzle-orm';
import type { Database } from '#server/db/client.ts';
import { aliases, collections } from '#server/db/schema/collections.ts';
import { projects } from '#server/db/schema/workspaces.ts';
import { AppError } from '#server/errors.ts';
import { writeEvent } from '#server/telemetry/write-event.ts';
import { firstProject } from '#server/workspaces/first-project.ts';
import { type SampleName, sampleSets } from '#shared/sample-sets.ts';
import { getProject, getWorkspace, type MemberContext } from './scope.ts';

const dimension = 384;
/** Further ones of a project's collections may have its name already. */
const namesMax = 20;

/** Where a sample is to go, as the input names it. */
interface SamplePlace {
  sample: SampleName;
  projectId?: number | undefined;
  workspaceId?: number | undefined;
}

type PlacingContext = Omit<MemberContext, 'db'> & { db: Database };

export interface PlacedSample {
  collection: typeof collections.$inferSelect;
  workspaceId: number;
  /** False: it was there already. */
  isNew: boolean;
}

/**
 * The collection of a sample in its project, made where it is not there; what bears its name and is something else stays as it is. Those
 * who ask for one at the same time take turns.
 * @throws AppError NOT_FOUND, FORBIDDEN (role), QuotaError
 */
export async function placeSample(ctx: PlacingContext, place: SamplePlace): Promise<PlacedSample> {
  const { id: projectId, workspaceId } = await projectFor(ctx, place);
  const { description } = sampleSets[place.sample];
  const ofProject = and(eq(collections.projectId, projectId), isNull(collections.deletedAt));
  const isNamedSo = like(collections.name, `${place.sample}%`);
  const [known] = await ctx.db
    .select()
    .from(collections)
    .where(and(ofProject, isNamedSo, eq(collections.description, description)))
    .orderBy(asc(collections.id))
    .limit(1);
  if (known) return { collection: known, workspaceId, isNew: false };

  const now = ctx.deps.clock();
  const name = await freeName(ctx.db, projectId, place.sample);
  const model = ctx.deps.indexes.modelFor(dimension);
  const given = { name, description, projectId, dimension, metric: 'cosine', model } as const;
  const [collection] = await ctx.db
    .insert(collections)
    .values({ ...given, createdAt: now, updatedAt: now })
    .returning();
  if (!collection) throw new Error('the inserted collection was not returned');
  await ctx.deps.quotas.assertRoom(ctx.db, workspaceId, { collections: 1 });
  const event = { workspaceId, actorId: ctx.principal.userId, createdAt: now } as const;
  await writeEvent(ctx.db, { ...event, type: 'collection_created', name });
  return { collection, workspaceId, isNew: true };
}

/** Locked, so that nobody else makes the same meanwhile. */
async function projectFor(
  ctx: PlacingContext,
  { projectId, workspaceId = 0 }: SamplePlace,
): Promise<{ id: number; workspaceId: number }> {
  if (projectId !== undefined) return await getProject(ctx, projectId, 'no key update');
  const workspace = await getWorkspace(ctx, workspaceId, 'no key update');
  const [oldest] = await ctx.db
    .select({ id: projects.id })
    .from(projects)
    .where(and(eq(projects.workspaceId, workspace.id), isNull(projects.deletedAt)))
    .orderBy(asc(projects.id))
    .limit(1);
  if (oldest) return await getProject(ctx, oldest.id, 'no key update');
  const by = { userId: ctx.principal.userId, now: ctx.deps.clock() };
  return { id: await firstProject(ctx.db, workspace.id, by), workspaceId: workspace.id };
}

/** The sample's own name, or the first of `films-2`, `films-3` … that no collection and no alias of the project bears. */
async function freeName(db: Database, projectId: number, sample: SampleName): Promise<string> {
  const bears = (name: string) => or(eq(collections.name, name), eq(aliases.name, name));
  for (let count = 1; count <= namesMax; count += 1) {
    const name = count === 1 ? sample : `${sample}-${count}`;
    const taken = await db
      .select({ id: collections.id })
      .from(collections)
      .leftJoin(aliases, eq(aliases.projectId, collections.projectId))
      .where(and(eq(collections.projectId, projectId), isNull(collections.deletedAt), bears(name)))
      .limit(1);
    if (taken.length === 0) return name;
  }
  throw new AppError('CONFLICT', `This project has ${namesMax} collections named ${sample} already`);
}
