import type { SQLWrapper } from 'drizzle-orm';
import { badRequest } from '#server/errors.ts';
import type { PageInput } from '#shared/pages.ts';
import type { Context } from './context.ts';
import type { CallerContext } from './scope.ts';

/** A query for a whole list in its order. */
interface List<Row> {
  as(name: string): SQLWrapper;
  limit(rows: number): { offset(rows: number): PromiseLike<Row[]> };
}

/** One page of a list; tells the request how long the list is. @throws AppError BAD_REQUEST */
export async function readPage<Row>(
  ctx: Pick<CallerContext, 'db'> & Pick<Context, 'noteTotal'>,
  { page, per_page: perPage }: PageInput,
  list: List<Row>,
): Promise<Row[]> {
  const offset = (page - 1) * perPage;
  if (!Number.isSafeInteger(offset)) throw badRequest('page', 'is too large');
  const all = list.as('list');
  const rows = await list.limit(perPage).offset(offset);
  const isLast = rows.length > 0 && rows.length < perPage;
  if (ctx.noteTotal) ctx.noteTotal(isLast ? offset + rows.length : await ctx.db.$count(all));
  return rows;
}
