import { and, eq, getTableColumns, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Principal, UserPrincipal } from '#server/auth/principal.ts';
import type { Database, ReadDatabase } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { aliases, collections } from '#server/db/schema/collections.ts';
import { members, projects, workspaces } from '#server/db/schema/workspaces.ts';
import { AppError, notFound } from '#server/errors.ts';
import { ownerIdOf } from '#server/workspaces/owner-id-of.ts';
import { limits } from '#shared/limits.ts';
import { isAtLeast, type Role } from '#shared/roles.ts';
import type { Audit } from './act.ts';
import type { Context } from './context.ts';
import type { AfterCommit } from './trpc.ts';

/**
 * Which rows a caller may see. Every read and write of a tenant's thing goes through one of these functions:
 * what is not the caller's is NOT_FOUND, in the same words as what does not exist.
 */

export type CallerContext = Pick<Context, 'deps' | 'noteUsage'> & {
  /** The pool, or the transaction of a write. */
  db: ReadDatabase;
  principal: Principal;
  roleMin: Role;
};
export type MemberContext = CallerContext & { principal: UserPrincipal };
/** The same within a procedure that writes. */
export type Writing<C extends CallerContext = CallerContext> = C & {
  db: Database;
  afterCommit: AfterCommit;
  audit: Audit;
};

export type WorkspaceRow = typeof workspaces.$inferSelect;
export type ProjectRow = typeof projects.$inferSelect;
export type CollectionRow = typeof collections.$inferSelect & { workspaceId: number };

/** A member without the role knows that the thing exists, so this is 403 and names the role. */
export function assertRole(role: Role, roleMin: Role): void {
  if (!isAtLeast(role, roleMin)) {
    throw new AppError('FORBIDDEN', `This needs the role "${roleMin}"; yours is "${role}"`);
  }
}

/** `share`: keeps the row from being deleted until the transaction's end; `no key update`: also keeps others who ask for it waiting. */
type Lock = 'share' | 'no key update';

/** @throws AppError NOT_FOUND, FORBIDDEN (role) */
export async function getWorkspace(ctx: MemberContext, id: number, lock?: Lock): Promise<WorkspaceRow> {
  const query = ctx.db
    .select({ workspace: workspaces, role: members.role })
    .from(workspaces)
    .innerJoin(members, and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId)))
    .where(and(eq(workspaces.id, id), isNull(workspaces.deletedAt)));
  const [row] = await (lock ? query.for(lock, { of: workspaces }) : query);
  if (!row) throw notFound('Workspace');
  ctx.noteUsage?.({ workspaceId: row.workspace.id, projectId: null });
  assertRole(row.role, ctx.roleMin);
  return row.workspace;
}

/** As `getWorkspace`. */
export async function getProject(ctx: MemberContext, id: number, lock?: Lock): Promise<ProjectRow> {
  const query = ctx.db
    .select({ project: projects, role: members.role })
    .from(projects)
    .innerJoin(
      members,
      and(eq(members.workspaceId, projects.workspaceId), eq(members.userId, ctx.principal.userId)),
    )
    .where(and(eq(projects.id, id), isNull(projects.deletedAt)));
  const [row] = await (lock ? query.for(lock, { of: projects }) : query);
  if (!row) throw notFound('Project');
  ctx.noteUsage?.({ workspaceId: row.project.workspaceId, projectId: row.project.id });
  assertRole(row.role, ctx.roleMin);
  return row.project;
}

/**
 * A row of what lies in a project, with the project's workspace and the caller's role there; `called` is how it is named to people, `which`
 * narrows it: to what is not deleted.
 * @throws AppError NOT_FOUND, FORBIDDEN (role)
 */
export async function getInProject<Table extends TableInProject>(
  ctx: MemberContext,
  table: Table,
  { id, called, which }: { id: number; called: string; which?: SQL },
): Promise<{ row: Table['$inferSelect']; workspaceId: number; role: Role }> {
  const [found] = await ctx.db
    .select({
      row: getTableColumns(table),
      projectId: projects.id,
      workspaceId: projects.workspaceId,
      role: members.role,
    })
    .from<TableInProject>(table)
    .innerJoin(projects, and(eq(projects.id, table.projectId), isNull(projects.deletedAt)))
    .innerJoin(workspaces, and(eq(workspaces.id, projects.workspaceId), isNull(workspaces.deletedAt)))
    .innerJoin(members, and(eq(members.workspaceId, workspaces.id), eq(members.userId, ctx.principal.userId)))
    .where(and(eq(table.id, id), which));
  if (!found) throw notFound(called);
  ctx.noteUsage?.(found);
  assertRole(found.role, ctx.roleMin);
  return found;
}

type TableInProject = PgTable & { id: PgColumn; projectId: PgColumn };

/** That the caller may see what narrows a list: for a key its own project and workspace. @throws AppError NOT_FOUND */
export async function assertVisible(
  ctx: CallerContext,
  { projectId, workspaceId }: { projectId?: number | undefined; workspaceId?: number | undefined },
): Promise<void> {
  const { principal } = ctx;
  if (principal.kind === 'user') {
    if (projectId !== undefined) await getProject({ ...ctx, principal }, projectId);
    if (workspaceId !== undefined) await getWorkspace({ ...ctx, principal }, workspaceId);
    return;
  }
  if (projectId !== undefined && projectId !== principal.projectId) throw notFound('Project');
  if (workspaceId !== undefined && workspaceId !== principal.workspaceId) throw notFound('Workspace');
}

/** Whose a collection is, dead or alive, as a condition on `collections` joined with `projects`. */
export function collectionOwnedBy({
  principal,
  db,
}: Pick<CallerContext, 'principal' | 'db'>): SQL | undefined {
  if (principal.kind === 'key') {
    const own = eq(collections.projectId, principal.projectId);
    return principal.collectionIds ? and(own, isAnyOf(collections.id, principal.collectionIds)) : own;
  }
  return inArray(projects.workspaceId, workspacesOf({ principal, db }));
}

/** The workspaces a user belongs to, as a subquery. */
export function workspacesOf({ principal, db }: Pick<MemberContext, 'principal' | 'db'>) {
  return db.select({ id: members.workspaceId }).from(members).where(eq(members.userId, principal.userId));
}

type Seeing = Pick<CallerContext, 'principal' | 'db'>;

/** All collections the caller may see, oldest first, narrowed by a further condition. */
export function selectCollections(ctx: Seeing, narrow?: SQL) {
  return ctx.db
    .select({ collection: collections, workspaceId: projects.workspaceId })
    .from(collections)
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .where(isVisible(ctx, narrow))
    .orderBy(collections.id);
}

function isVisible(ctx: Seeing, narrow: SQL | undefined): SQL | undefined {
  return and(isNull(collections.deletedAt), isNull(projects.deletedAt), collectionOwnedBy(ctx), narrow);
}

/** The caller's membership in a collection's workspace; a key is no member. */
export function isMembership(principal: Principal): SQL | undefined {
  const isCaller = principal.kind === 'user' ? eq(members.userId, principal.userId) : sql`false`;
  return and(eq(members.workspaceId, projects.workspaceId), isCaller);
}

/**
 * With the account that owns its workspace, the role in which the caller sees it, which is null for a key, and those of its aliases that
 * were asked for.
 */
export type SeenCollection = Awaited<ReturnType<typeof seeCollections>>[number];

/**
 * The same for finding one out, without what may be large in them: metadata is null unless it is asked for, and then it is that of the
 * first of each name. `order`: those of one name are numbered in it. `references`: what may be an alias of theirs, which is their name then.
 */
export function seeCollections(
  ctx: Seeing,
  narrow: SQL | undefined,
  {
    withMetadata = false,
    order,
    references = [],
  }: { withMetadata?: boolean; order?: SQL; references?: string[] } = {},
) {
  const called = sql`coalesce((${aliasesAmong(references)})[1], ${collections.name})`;
  const place = order ? sql`row_number() over (partition by ${called} order by ${order})` : sql`1`;
  const metadata = withMetadata
    ? sql`case when ${place} = 1 then ${collections.metadata} end`
    : sql`null::jsonb`;
  return ctx.db
    .select({
      ...getTableColumns(collections),
      metadata: metadata.mapWith(collections.metadata).as('metadata'),
      workspaceId: projects.workspaceId,
      ownerId: ownerIdOf(projects.workspaceId).as('owner_id'),
      role: members.role,
      aliases: aliasesAmong(references).as('aliases'),
      place: place.mapWith(Number).as('place'),
    })
    .from(collections)
    .innerJoin(projects, eq(projects.id, collections.projectId))
    .leftJoin(members, isMembership(ctx.principal))
    .where(isVisible(ctx, narrow))
    .orderBy(collections.id);
}

function aliasesAmong(references: string[]) {
  return references.length === 0
    ? sql<string[]>`'{}'::text[]`
    : sql<string[]>`array(${aliasNames(references)})`;
}

/** Which of the references are aliases of the row's collection. */
function aliasNames(references: string[]): SQL {
  const isReferred = isAnyOf(aliases.name, references.filter(isPossibleName));
  return sql`select ${aliases.name} from ${aliases} where ${eq(aliases.collectionId, collections.id)} and ${isReferred}`;
}

/**
 * Those that bear one of the references as their id, their name or an alias; of one alias or name no more than an error tells of, since
 * somebody with many projects may have it in each. Whichever a single reference means has its metadata, where that is asked for.
 */
export async function seeNamed(
  ctx: Seeing,
  references: string[],
  { withMetadata = false } = {},
): Promise<SeenCollection[]> {
  const ids = references.map(possibleId).filter((id) => id !== null);
  const names = references.filter(isPossibleName);
  const isById = isAnyOf(collections.id, ids);
  const isNamed = or(isById, isAnyOf(collections.name, names), sql`exists (${aliasNames(references)})`);
  const order = sql`${isById} desc, ${collections.id}`;
  const seen = seeCollections(ctx, isNamed, { withMetadata, order, references }).as('seen');
  const isTold = or(lte(seen.place, limits.errorDetailsMax), isAnyOf(seen.id, ids));
  return await ctx.db.select().from(seen).where(isTold).orderBy(seen.id);
}

/**
 * The collection a path names, from the record. For a key: a name or an alias in its project first, then an id. For a session: an id the
 * user may see first, then a name or an alias if exactly one visible collection bears it.
 * @throws AppError NOT_FOUND, CONFLICT (several bear the name; details list their ids), FORBIDDEN (role)
 */
export async function getCollection(ctx: CallerContext, reference: string): Promise<CollectionRow> {
  const seen = await seeNamed(ctx, [reference], { withMetadata: true });
  const found = pickCollection(ctx.principal, reference, seen);
  if (!found) throw notFound('Collection');
  const { id, name, workspaceId, projectId } = found;
  ctx.noteUsage?.({ workspaceId, projectId, collection: { reference, id, name } });
  if (found.role !== null) assertRole(found.role, ctx.roleMin);
  return found;
}

/** Which of the rows a reference means to its caller. @throws AppError CONFLICT (several bear the name; details list their ids) */
export function pickCollection(
  principal: Principal,
  reference: string,
  rows: SeenCollection[],
): SeenCollection | undefined {
  const byId = rows.find(({ id }) => id === possibleId(reference));
  const byName = rows.filter(({ name, aliases }) => name === reference || aliases.includes(reference));
  if (principal.kind === 'key') return byName[0] ?? byId;
  return byId ?? onlyOne(byName);
}

/** The reference as an id, if it can be one, in the one way in which an id is written: each way would be remembered for itself. */
function possibleId(reference: string): number | null {
  const isId = /^[1-9]\d{0,15}$/.test(reference) && Number.isSafeInteger(Number(reference));
  return isId ? Number(reference) : null;
}

/** Postgres cannot even be asked for a name with U+0000 or a lone surrogate; no collection bears one. */
function isPossibleName(reference: string): boolean {
  return !reference.includes('\u0000') && reference.isWellFormed();
}

function onlyOne(found: SeenCollection[]): SeenCollection | undefined {
  if (found.length > 1) {
    throw new AppError('CONFLICT', 'Several collections bear this name; use an id', {
      details: found.map((row) => ({
        path: 'collection',
        message: `id ${row.id} in project ${row.projectId}`,
      })),
    });
  }
  return found[0];
}

/** For a session: its user's role in the collection's workspace suffices. A key's permissions were looked at before. */
export async function assertCollectionRole(ctx: CallerContext, collection: CollectionRow): Promise<void> {
  const { db, principal } = ctx;
  if (principal.kind === 'key' || ctx.roleMin === 'viewer') return;
  const [member] = await db
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.workspaceId, collection.workspaceId), eq(members.userId, principal.userId)));
  if (!member) throw notFound('Collection');
  assertRole(member.role, ctx.roleMin);
}
