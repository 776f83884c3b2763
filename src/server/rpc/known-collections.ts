import { eq } from 'drizzle-orm';
import { accountName, tenantOf } from '#server/admission/requester.ts';
import type { Known, KnownAnswers } from '#server/auth/known/known-answers.ts';
import {
  callerName,
  type KnownCollection,
  type KnownCollections,
  type KnownWritableCollection,
  sightName,
} from '#server/auth/known/known-callers.ts';
import { databaseUnavailable } from '#server/db/record-error.ts';
import { collections } from '#server/db/schema/collections.ts';
import { AppError, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import {
  assertRole,
  type CallerContext,
  pickCollection,
  type SeenCollection,
  seeCollections,
  seeNamed,
} from './scope.ts';

/**
 * Collections for what is asked often, searches and documents: by the rules of `getCollection`, without a statement where the caller has
 * named them within the last minute. They are asked for outside of any transaction, whose changes nobody else may see yet.
 */

/** @throws AppError as `getCollection`; UNAVAILABLE for a write when the record could not be asked */
export async function getKnownCollection(ctx: CallerContext, reference: string): Promise<KnownCollection> {
  const find = await findKnownCollections(ctx, [reference]);
  return find(reference);
}

/** For searches, and for what deletes. @throws AppError as `getKnownCollection`, FORBIDDEN when the collection is inactive */
export async function getActiveCollection(ctx: CallerContext, reference: string): Promise<KnownCollection> {
  // Most searches name what is known: nothing need be gathered for them.
  const value = ctx.deps.known.collections.find(`${sightName(ctx.principal)}/${reference}`);
  if (value !== null) return assertActive(getUsable(ctx, reference, { value, isConfirmed: true }));
  const find = await findActiveCollections(ctx, [reference]);
  return find(reference);
}

/** For what writes documents, or cuts their texts as writes did. @throws AppError as `getActiveCollection` */
export async function getWritableCollection(
  ctx: CallerContext,
  reference: string,
): Promise<KnownWritableCollection> {
  const find = await findIn(ctx, [reference], {
    answers: ctx.deps.known.writable,
    see: (asked) => seeNamed(fromPool(ctx), asked, { withMetadata: true }),
    toCollection: (row) => ({ ...toCollection(ctx, row), metadata: row.metadata }),
  });
  return assertActive(find(reference));
}

/** For several references in one look-up. The function answered throws what is wrong with a reference, as `getActiveCollection`. */
export async function findActiveCollections(
  ctx: CallerContext,
  references: string[],
): Promise<(reference: string) => KnownCollection> {
  const find = await findKnownCollections(ctx, references);
  return (reference) => assertActive(find(reference));
}

/** @throws AppError FORBIDDEN */
function assertActive<Collection extends KnownCollection>(found: Collection): Collection {
  if (found.isActive) return found;
  throw new AppError(
    'FORBIDDEN',
    `The collection "${found.name}" is inactive: it takes no writes and no searches`,
  );
}

/** Every active collection that the caller may see. @throws AppError UNPROCESSABLE when one search cannot take so many */
export async function listSearchable(ctx: CallerContext): Promise<KnownCollection[]> {
  const caller = sightName(ctx.principal);
  const find = await ctx.deps.known.collections.askAll([caller], async () => {
    const active = seeCollections(fromPool(ctx), eq(collections.isActive, true));
    const rows = await active.limit(limits.mergedCollectionsMax + 1);
    if (rows.length > limits.mergedCollectionsMax) return new Map([[caller, tooManyCollections()]]);
    const found = rows.map((row) => toCollection(ctx, row));
    return new Map([[caller, toKnown(ctx, found)]]);
  });
  const found = find(caller)?.value.collections ?? [];
  const workspaces = new Map(found.map((one) => [one.workspaceId, one]));
  for (const one of workspaces.values()) ctx.noteUsage?.(one);
  return found;
}

function findKnownCollections(
  ctx: CallerContext,
  references: string[],
): Promise<(reference: string) => KnownCollection> {
  return findIn(ctx, references, {
    answers: ctx.deps.known.collections,
    see: (asked) => seeNamed(fromPool(ctx), asked),
    toCollection: (row) => toCollection(ctx, row),
  });
}

/** What is known, and how more becomes known. */
interface Source<Collection> {
  answers: KnownAnswers<KnownCollections<Collection>>;
  see: (references: string[]) => Promise<SeenCollection[]>;
  toCollection: (row: SeenCollection) => Collection;
}

async function findIn<Collection extends KnownCollection>(
  ctx: CallerContext,
  references: string[],
  source: Source<Collection>,
): Promise<(reference: string) => Collection> {
  const caller = sightName(ctx.principal);
  const nameOf = (reference: string) => `${caller}/${reference}`;
  const byName = new Map(references.map((reference) => [nameOf(reference), reference]));
  const find = await source.answers.askAll([...byName.keys()], (names) => lookUp(ctx, byName, names, source));
  return (reference) => getUsable(ctx, reference, find(nameOf(reference)));
}

/** @throws AppError NOT_FOUND, FORBIDDEN (the role), UNAVAILABLE for a write when the record could not be asked */
function getUsable<Collection extends KnownCollection>(
  ctx: CallerContext,
  reference: string,
  known: Known<KnownCollections<Collection>> | null,
): Collection {
  const found = known?.value.collections[0];
  if (!known || !found) throw notFound('Collection');
  const { id, name, workspaceId, projectId } = found;
  ctx.noteUsage?.({ workspaceId, projectId, collection: { reference, id, name } });
  if (found.role !== null) assertRole(found.role, ctx.roleMin);
  if (!known.isConfirmed && ctx.roleMin !== 'viewer') throw databaseUnavailable();
  return found;
}

async function lookUp<Collection>(
  ctx: CallerContext,
  references: Map<string, string>,
  names: string[],
  { see, toCollection }: Source<Collection>,
): Promise<Map<string, KnownCollections<Collection> | AppError>> {
  const rows = await see(names.flatMap((name) => references.get(name) ?? []));
  const found = new Map<string, KnownCollections<Collection> | AppError>();
  for (const name of names) {
    try {
      const row = pickCollection(ctx.principal, references.get(name) ?? '', rows);
      if (row) found.set(name, toKnown(ctx, [toCollection(row)]));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      found.set(name, error);
    }
  }
  return found;
}

/** The pool refuses to be asked inside a transaction. */
function fromPool({ deps, principal }: CallerContext): Pick<CallerContext, 'db' | 'principal'> {
  return { db: deps.record.db, principal };
}

function toKnown<Collection>(
  { principal }: CallerContext,
  collections: Collection[],
): KnownCollections<Collection> {
  const within =
    principal.kind === 'key' ? { projectId: principal.projectId, workspaceId: principal.workspaceId } : null;
  const tenant = principal.kind === 'key' ? tenantOf(principal).tenant : accountName(principal.userId);
  return { caller: callerName(principal), tenant, within, collections };
}

function toCollection({ principal }: CallerContext, row: SeenCollection): KnownCollection {
  const { id, name, projectId, workspaceId, dimension, metric, isActive, rulesVersion, role } = row;
  const requester = { ...tenantOf(row), caller: callerName(principal) };
  const of = { id, for: requester, name, projectId, workspaceId };
  return { ...of, dimension, metric, isActive, rulesVersion, role };
}

function tooManyCollections(): AppError {
  const most = limits.mergedCollectionsMax;
  return new AppError(
    'UNPROCESSABLE',
    `"*" is more than ${most} collections here, and one list takes ${most}; name those to search`,
  );
}
