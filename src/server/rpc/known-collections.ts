import { eq } from 'drizzle-orm';
import { tenantOf } from '#server/admission/requester.ts';
import { callerName, type KnownCollection, type KnownCollections } from '#server/auth/known/known-callers.ts';
import type { Principal } from '#server/auth/principal.ts';
import { databaseUnavailable } from '#server/db/record-error.ts';
import { collections } from '#server/db/schema/collections.ts';
import { AppError, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import {
  assertRole,
  type CallerContext,
  listNamed,
  pickCollection,
  type SeenCollection,
  selectCollections,
  toSeen,
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

/** For writes and searches. @throws AppError as `getKnownCollection`, FORBIDDEN when the collection is inactive */
export async function getActiveCollection(ctx: CallerContext, reference: string): Promise<KnownCollection> {
  const find = await findActiveCollections(ctx, [reference]);
  return find(reference);
}

/** For several references in one look-up. The function answered throws what is wrong with a reference, as `getActiveCollection`. */
export async function findActiveCollections(
  ctx: CallerContext,
  references: string[],
): Promise<(reference: string) => KnownCollection> {
  const find = await findKnownCollections(ctx, references);
  return (reference) => {
    const found = find(reference);
    if (found.isActive) return found;
    throw new AppError(
      'FORBIDDEN',
      `The collection "${found.name}" is inactive: it takes no writes and no searches`,
    );
  };
}

/** Every active collection that the caller may see. @throws AppError UNPROCESSABLE when one search cannot take so many */
export async function listSearchable(ctx: CallerContext): Promise<KnownCollection[]> {
  const caller = sightOf(ctx.principal);
  const find = await ctx.deps.known.collections.askAll([caller], async () => {
    const active = selectCollections(fromPool(ctx), eq(collections.isActive, true));
    const rows = toSeen(await active.limit(limits.mergedCollectionsMax + 1));
    const isTooLong = rows.length > limits.mergedCollectionsMax;
    return new Map([[caller, isTooLong ? tooManyCollections() : toKnown(ctx, rows)]]);
  });
  const found = find(caller)?.value.collections ?? [];
  if (found[0]) ctx.noteUsage?.(found[0]);
  return found;
}

/** A caller with the limits it came with: they may be changed while its request is under way, which must not lend them to later ones. */
function sightOf(principal: Principal): string {
  const caller = callerName(principal);
  return principal.kind === 'user' ? caller : `${caller}:${principal.collectionIds?.join() ?? '*'}`;
}

async function findKnownCollections(
  ctx: CallerContext,
  references: string[],
): Promise<(reference: string) => KnownCollection> {
  const caller = sightOf(ctx.principal);
  const nameOf = (reference: string) => `${caller}/${reference}`;
  const find = await ctx.deps.known.collections.askAll(references.map(nameOf), (names) =>
    lookUp(ctx, new Map(references.map((reference) => [nameOf(reference), reference])), names),
  );
  return (reference) => {
    const known = find(nameOf(reference));
    const found = known?.value.collections[0];
    if (!known || !found) throw notFound('Collection');
    ctx.noteUsage?.(found);
    if (found.role !== null) assertRole(found.role, ctx.roleMin);
    if (!known.isConfirmed && ctx.roleMin !== 'viewer') throw databaseUnavailable();
    return found;
  };
}

async function lookUp(
  ctx: CallerContext,
  references: Map<string, string>,
  names: string[],
): Promise<Map<string, KnownCollections | AppError>> {
  const asked = names.flatMap((name) => references.get(name) ?? []);
  const rows = await listNamed(fromPool(ctx), asked);
  const found = new Map<string, KnownCollections | AppError>();
  for (const name of names) {
    try {
      const row = pickCollection(ctx.principal, references.get(name) ?? '', rows);
      if (row) found.set(name, toKnown(ctx, [row]));
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

function toKnown({ principal }: CallerContext, rows: SeenCollection[]): KnownCollections {
  const within =
    principal.kind === 'key' ? { projectId: principal.projectId, workspaceId: principal.workspaceId } : null;
  const caller = callerName(principal);
  const seen = rows.map((row): KnownCollection => {
    const { id, name, projectId, workspaceId, dimension, metric, metadata, isActive, rulesVersion, role } =
      row;
    return {
      id,
      for: { ...tenantOf(row), caller },
      name,
      projectId,
      workspaceId,
      dimension,
      metric,
      metadata,
      isActive,
      rulesVersion,
      role,
    };
  });
  return { caller, within, collections: seen };
}

function tooManyCollections(): AppError {
  const most = limits.mergedCollectionsMax;
  return new AppError(
    'UNPROCESSABLE',
    `"*" is more than ${most} collections here, and one list takes ${most}; name those to search`,
  );
}
