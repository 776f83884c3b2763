import type { TRPCLink } from '@trpc/react-query';
import type { AnyRouter } from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { limits } from '#shared/limits.ts';
import { isRecord } from './json.ts';

const lists = new Set(['workspaces.list', 'projects.list', 'collections.list', 'apiKeys.list']);

/** The console shows whole lists: each is asked for page after page, until one is not full. */
export const wholeLists: TRPCLink<AnyRouter> = () => (request) => {
  const { op, next } = request;
  if (!lists.has(op.path)) return next(op);
  return observable((observer) => {
    const rows: unknown[] = [];
    let asking = { unsubscribe: () => {} };
    const ask = (page: number) => {
      const input = { ...(isRecord(op.input) && op.input), page, per_page: limits.perPageMax };
      asking = next({ ...op, input }).subscribe({
        next(answer) {
          const found =
            'data' in answer.result && Array.isArray(answer.result.data) ? answer.result.data : [];
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
