import type { TRPCLink } from '@trpc/react-query';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { limits } from '#shared/limits.ts';
import { isRecord } from './json.ts';

/** How often a list that changes while it is read is begun again; then it is shown as far as it goes. */
const beginningsMax = 5;

/**
 * The console shows whole lists: what is asked for without a page is asked for page after page, until one is not full. Each page begins
 * with a row that is there already. If it is another one, rows were deleted or added before it, and the list is read from its beginning.
 */
export const wholeLists: TRPCLink<AnyRouter> = () => (request) => {
  const { op, next } = request;
  if (!op.path.endsWith('.list') || (isRecord(op.input) && 'page' in op.input)) return next(op);
  return observable((observer) => {
    let rows: unknown[] = [];
    let beginnings = 1;
    let asking = { unsubscribe: () => {} };
    const ask = () => {
      const { page, perPage, offset } = pageAfter(rows.length);
      const input = { ...(isRecord(op.input) && op.input), page, per_page: perPage };
      asking = next({ ...op, input }).subscribe({
        next(answer) {
          const found = 'data' in answer.result ? answer.result.data : [];
          if (!Array.isArray(found)) {
            observer.next(answer);
            return observer.complete();
          }
          if (offset > 0 && idOf(found[0]) !== idOf(rows[offset]) && beginnings < beginningsMax) {
            beginnings += 1;
            rows = [];
            return ask();
          }
          rows = [...rows.slice(0, offset), ...found];
          if (found.length === perPage) return ask();
          observer.next({ ...answer, result: { type: 'data', data: rows } });
          observer.complete();
        },
        error: (error) => observer.error(error),
      });
    };
    ask();
    return () => asking.unsubscribe();
  });
};

/** The page that begins at the last row seen, or shortly before it. */
function pageAfter(seen: number): { page: number; perPage: number; offset: number } {
  if (seen < 2) return { page: 1, perPage: limits.perPageMax, offset: 0 };
  const pagesBefore = Math.ceil((seen - 1) / limits.perPageMax);
  const perPage = Math.floor((seen - 1) / pagesBefore);
  return { page: pagesBefore + 1, perPage, offset: pagesBefore * perPage };
}

function idOf(row: unknown): unknown {
  return isRecord(row) ? row['id'] : row;
}
