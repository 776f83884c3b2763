import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { AppError, badRequest } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { PageInput } from '#shared/pages.ts';
import type { Context } from './context.ts';
import type { CallerContext } from './scope.ts';

/** A list of which a page is asked for. */
interface List<Row> {
  /** By which its rows differ; no other of its columns has the same name. */
  id: PgColumn;
  /** All of it in its order, or what a further condition leaves of it. */
  rows(narrow?: SQL): Selected<Row>;
  /** Whether there may be more of it than these rows; absent: there are no more. */
  isCut?: boolean;
}

interface Selected<Row> extends PromiseLike<Row[]> {
  getSQL(): SQL;
}

type PageContext = Pick<CallerContext, 'db'> & Pick<Context, 'noteTotal' | 'held' | 'request'>;

/**
 * One page of a list; tells the request how long the list is. What the page takes is held of the answers' memory before any of its rows
 * is read: the first statement answers sizes and ids alone.
 * @throws AppError BAD_REQUEST (page), UNPROCESSABLE (more than an answer may have), UNAVAILABLE (no room for it now)
 */
export async function readPage<Row>(ctx: PageContext, input: PageInput, list: List<Row>): Promise<Row[]> {
  const { total, ids, bytes } = await measure(ctx, input, list);
  const { countedRowsMax } = limits;
  ctx.noteTotal?.(Math.min(total, countedRowsMax), list.isCut === true || total > countedRowsMax);
  if (ids.length === 0) return [];
  assertFits(bytes, ctx.request.answerBytesMax);
  ctx.held.answer.add(bytes);
  return await list.rows(isAnyOf(list.id, ids));
}

/** Rows before a page. @throws AppError BAD_REQUEST (page): so far no list is read */
export function offsetOf({ page, per_page: perPage }: PageInput, instead = 'ask for a part of it'): number {
  const offset = (page - 1) * perPage;
  if (offset + perPage > limits.pagedRowsMax)
    throw badRequest('page', `reaches beyond row ${limits.pagedRowsMax} of the list; ${instead}`);
  return offset;
}

interface Measured {
  /** Not counted further than is told of it. */
  total: number;
  ids: number[];
  /** Of the rows as JSON. */
  bytes: number;
}

/** Of rows before the page their ids alone are walked over: Postgres leaves out columns that nobody asks a subquery for. */
async function measure<Row>(
  { db, noteTotal }: PageContext,
  { page, per_page: perPage }: PageInput,
  { id, rows }: List<Row>,
): Promise<Measured> {
  const offset = offsetOf({ page, per_page: perPage });
  const all = rows().getSQL();
  const counted = noteTotal
    ? sql`(select count(*) from (select 1 from (${all}) as list limit ${limits.countedRowsMax + 1}) as counted)`
    : sql`0`;
  const [measured] = await db
    .select({
      total: sql`total`.mapWith(Number),
      ids: sql<number[]>`ids`,
      bytes: sql`bytes`.mapWith(Number),
    })
    .from(
      sql`(with page as materialized (
          select list.${sql.identifier(id.name)} as id from (${all}) as list limit ${perPage} offset ${offset}
        )
        select ${counted} as total,
          (select coalesce(json_agg(id), '[]') from page) as ids,
          (select coalesce(sum(octet_length(to_json(list)::text)), 0)
            from (${rows(sql`${id} in (select page.id from page)`).getSQL()}) as list) as bytes
      ) as measured`,
    );
  if (!measured) throw new Error('a statement of one row answered none');
  return measured;
}

/** @throws AppError UNPROCESSABLE */
function assertFits(bytes: number, bytesMax: number): void {
  if (bytes <= bytesMax) return;
  const message = `the page has ${bytes} bytes and an answer at most ${bytesMax}: ask for fewer`;
  throw new AppError('UNPROCESSABLE', `per_page: ${message}`, { details: [{ path: 'per_page', message }] });
}
