import type { Context } from '../context.ts';

/** The oldest moment whose deletions can still be undone. */
export function undoableSince({ deps }: Pick<Context, 'deps'>): Date {
  return new Date(deps.clock().getTime() - deps.settings.purgeAfterMs);
}
