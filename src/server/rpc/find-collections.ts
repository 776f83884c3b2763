import { eq, inArray, or } from 'drizzle-orm';
import { collections } from '#server/db/schema/collections.ts';
import { AppError, notFound } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import {
  assertActive,
  type CallerContext,
  type CollectionRow,
  isPossibleName,
  listCollections,
  onlyOne,
  possibleId,
} from './scope.ts';

/**
 * The collections that several references name, for searches: by the rules of `getCollection`, in one look-up. The function answered
 * throws what is wrong with a reference: NOT_FOUND, CONFLICT, FORBIDDEN (inactive).
 */
export async function findActiveCollections(
  ctx: CallerContext,
  references: string[],
): Promise<(reference: string) => CollectionRow> {
  const ids = references.map(possibleId).filter((id) => id !== null);
  const names = references.filter(isPossibleName);
  const named = or(inArray(collections.id, ids), inArray(collections.name, names));
  const rows = references.length === 0 ? [] : await listCollections(ctx, named);
  return (reference) => {
    const byId = () => rows.find(({ id }) => id === possibleId(reference));
    const byName = () => rows.filter(({ name }) => name === reference);
    const found = ctx.principal.kind === 'key' ? (byName()[0] ?? byId()) : (byId() ?? onlyOne(byName()));
    if (!found) throw notFound('Collection');
    ctx.noteUsage?.(found);
    assertActive(found);
    return found;
  };
}

/** Every active collection that the caller may see. @throws AppError UNPROCESSABLE when one search cannot take so many */
export async function listSearchable(ctx: CallerContext): Promise<CollectionRow[]> {
  const found = await listCollections(ctx, eq(collections.isActive, true));
  if (found.length > limits.mergedCollectionsMax) {
    throw new AppError(
      'UNPROCESSABLE',
      `"*" is ${found.length} collections here, and one list takes ${limits.mergedCollectionsMax}; name those to search`,
    );
  }
  const [first] = found;
  if (first) ctx.noteUsage?.(first);
  return found;
}
