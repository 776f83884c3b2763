import type { QueryClient } from '@tanstack/react-query';

/** What a mutation can change, by the name of its router. */
export type Changed = 'workspaces' | 'projects' | 'collections' | 'documents' | 'apiKeys';

/** What says something about it besides its own lists: counts, names, results. The dashboard is about everything. */
const dependants: Record<Changed, readonly (Changed | 'search')[]> = {
  workspaces: ['projects', 'collections'],
  projects: ['collections', 'apiKeys', 'search'],
  collections: ['projects', 'documents', 'apiKeys', 'search'],
  documents: ['collections', 'search'],
  apiKeys: ['projects'],
};

/** Fetches anew what a change has made out of date, and on its next use what is not on screen. */
export async function invalidate(queryClient: QueryClient, changed: Changed): Promise<void> {
  const routers = [changed, ...dependants[changed], 'dashboard'];
  await Promise.all(routers.map((name) => queryClient.invalidateQueries({ queryKey: [[name]] })));
}
