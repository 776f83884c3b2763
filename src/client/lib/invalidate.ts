import { trpc } from './trpc.ts';

/**
 * What a change makes out of date. Nothing in the cache goes stale by itself, so every mutation ends with
 * `await invalidate('collections')`, naming what it changed; lists, counts and statistics that depend on it follow.
 */
export type Changed = 'workspaces' | 'projects' | 'collections' | 'documents' | 'apiKeys';

export function useInvalidate(): (changed: Changed) => Promise<void> {
  const utils = trpc.useUtils();
  return async (changed) => {
    const own = {
      workspaces: () => [
        utils.workspaces.invalidate(),
        utils.projects.invalidate(),
        utils.collections.invalidate(),
      ],
      projects: () => [utils.projects.invalidate(), utils.collections.invalidate()],
      collections: () => [
        utils.collections.invalidate(),
        utils.projects.invalidate(),
        utils.documents.invalidate(),
      ],
      documents: () => [
        utils.collections.invalidate(),
        utils.documents.invalidate(),
        utils.search.invalidate(),
      ],
      apiKeys: () => [utils.apiKeys.invalidate(), utils.projects.invalidate()],
    } satisfies Record<Changed, () => Promise<void>[]>;
    await Promise.all([...own[changed](), utils.dashboard.invalidate()]);
  };
}
