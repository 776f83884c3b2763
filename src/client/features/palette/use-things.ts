import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';

/** The keys of so many projects are listed: each is asked for its own. */
const projectsAskedMax = 20;

/** The chosen workspace's collections and keys; what cannot be fetched is not listed, and its own page says why. */
export function useThings(): { collections: Collection[]; keys: ApiKey[]; isLoading: boolean } {
  const { workspace, projects } = useWorkspace();
  const list = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  const withKeys = projects.filter(({ apiKeysCount }) => apiKeysCount > 0).slice(0, projectsAskedMax);
  const keys = trpc.useQueries((t) => withKeys.map(({ id }) => t.apiKeys.list({ projectId: id })));
  return {
    collections: list.data ?? [],
    keys: keys.flatMap(({ data }) => data ?? []),
    isLoading: list.isLoading || keys.some((one) => one.isLoading),
  };
}
