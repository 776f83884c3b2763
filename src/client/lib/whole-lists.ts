import type { TRPCLink } from '@trpc/react-query';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { limits } from '#shared/limits.ts';
import { isRecord } from './json.ts';

/** The console shows whole lists: what is asked for without a page is asked for page after page, until one is not full. */
export const wholeLists: TRPCLink<AnyRouter> = () => (request) => {
  const { op, next } = request;
  if (!op.path.endsWith('.list') || (isRecord(op.input) && 'page' in op.input)) return next(op);
  return observable((observer) => {
    const rows: unknown[] = [];
    let asking = { unsubscribe: () => {} };
    const ask = (page: number) => {
      const input = { ...(isRecord(op.input) && op.input), page, per_page: limits.perPageMax };
      asking = next({ ...op, input }).subscribe({
        next(answer) {
          const found = 'data' in answer.result ? answer.result.data : [];
          if (!Array.isArray(found)) {
            observer.next(answer);
            return observer.complete();
          }
          rows.push(...found);
          if (found.length === limits.perPageMax) return ask(page + 1);
          observer.next({ ...answer, result: { type: 'data', data: rows } });
          observer.complete();
        },
        error: (error) => observer.error(error),
      });
    };
    ask(1);
    return () => asking.unsubscribe();
  });
};
