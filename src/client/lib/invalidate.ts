import type { QueryClient } from '@tanstack/react-query';
import { requestsNoun } from '#shared/live.ts';
import type { Noun } from './trpc.ts';

/** What says something about a thing besides its own lists: counts, names, results. The dashboard is about everything. */
const dependants: Partial<Record<Noun, readonly Noun[]>> = {
  account: ['auth'],
  // Their own history.
  sessions: ['account'],
  secondFactor: ['account'],
  workspaces: ['projects', 'collections', 'members'],
  members: ['workspaces', 'invitations'],
  invitations: ['workspaces', 'members'],
  projects: ['collections', 'collectionHealth', 'apiKeys', 'search'],
  // Answers tell which of their sources are not what they were.
  collections: ['projects', 'collectionHealth', 'documents', 'apiKeys', 'search', 'conversations', 'chat'],
  // Their language is read off them.
  documents: ['collections', 'search', 'judgements', 'conversations', 'searchSettings'],
  samples: ['projects', 'collections', 'documents', 'search', 'chat'],
  apiKeys: ['projects'],
  alertRules: ['alerts'],
  synonyms: ['search', 'judgements'],
  overrides: ['search', 'judgements'],
  searchSettings: ['search', 'judgements', 'calibrations'],
  calibrations: ['search'],
};

/** The routers whose answers say something about a thing of this kind; a kind that is none of theirs: its own. */
export function nounsShowing(changed: string): string[] {
  // They are many, and what else says something about them is asked for at its own pace.
  if (changed === requestsNoun) return [changed];
  const dependent: Partial<Record<string, readonly Noun[]>> = dependants;
  return [changed, ...(dependent[changed] ?? []), 'dashboard'];
}

/** Fetches anew what a change has made out of date, and on its next use what is not on screen. */
export async function invalidate(queryClient: QueryClient, changed: Noun): Promise<void> {
  await Promise.all(
    nounsShowing(changed).map((name) => queryClient.invalidateQueries({ queryKey: [[name]] })),
  );
}
