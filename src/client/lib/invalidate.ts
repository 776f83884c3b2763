import type { QueryClient } from '@tanstack/react-query';
import type { Noun } from './trpc.ts';

/** What says something about a thing besides its own lists: counts, names, results. The dashboard is about everything. */
const dependants: Partial<Record<Noun, readonly Noun[]>> = {
  workspaces: ['projects', 'collections'],
  projects: ['collections', 'apiKeys', 'search'],
  collections: ['projects', 'documents', 'apiKeys', 'search'],
  documents: ['collections', 'search', 'judgements'],
  samples: ['projects', 'collections', 'documents', 'search'],
  apiKeys: ['projects'],
  synonyms: ['search', 'judgements'],
  overrides: ['search', 'judgements'],
  searchSettings: ['search', 'judgements'],
};

/** The routers whose answers say something about a thing of this kind; a kind that is none of theirs: its own. */
export function nounsShowing(changed: string): string[] {
  const dependent: Partial<Record<string, readonly Noun[]>> = dependants;
  return [changed, ...(dependent[changed] ?? []), 'dashboard'];
}

/** Fetches anew what a change has made out of date, and on its next use what is not on screen. */
export async function invalidate(queryClient: QueryClient, changed: Noun): Promise<void> {
  await Promise.all(
    nounsShowing(changed).map((name) => queryClient.invalidateQueries({ queryKey: [[name]] })),
  );
}
