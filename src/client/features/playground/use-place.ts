import { useQuery } from '@tanstack/react-query';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { ApiKey } from '#shared/api-keys.ts';
import type { Collection } from '#shared/collections.ts';
import type { Project } from '#shared/projects.ts';
import type { Workspace } from '#shared/workspaces.ts';
import { type CollectionSample, readSample } from './collection-sample.ts';
import type { PlaygroundState } from './playground-state.ts';

interface List<Row> {
  data: Row[] | undefined;
  isSuccess: boolean;
  isError: boolean;
  refetch: () => unknown;
}

/** What the address and the reader have chosen: a project, a collection of it, and a key that opens it. */
export interface Place {
  workspace: Workspace | null;
  isLoading: boolean;
  projects: Project[];
  project: Project | null;
  selectProject: (id: number | null) => void;
  /** Of the workspace. */
  collectionList: List<Collection>;
  /** Of the project. */
  collections: Collection[];
  collection: Collection | null;
  keyList: List<ApiKey>;
  apiKey: ApiKey | null;
  /** Null where it could not be read: the examples are shown as they are. */
  sample: CollectionSample | null;
  isSampleSettled: boolean;
  /** What it names may be gone. */
  readSampleAgain: () => void;
}

export function usePlace(state: PlaygroundState): Place {
  const { workspace, projects, project: chosen, isLoading, selectProject } = useWorkspace();
  const collectionList = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  const collection = collectionList.data?.find(({ id }) => id === state.collection) ?? null;
  // A link to a collection is a link to its project.
  const projectId = collection?.projectId ?? chosen?.id ?? null;
  const project = projects.find(({ id }) => id === projectId) ?? null;
  const keyList = trpc.apiKeys.list.useQuery({ projectId: projectId ?? 0 }, { enabled: projectId !== null });
  const { client } = trpc.useUtils();
  const sample = useQuery({
    // Read once: what a request begins with must not change while one looks at it.
    queryKey: ['playground sample', collection?.id],
    queryFn: ({ signal }) => readSample(client, collection?.id ?? 0, signal),
    enabled: collection !== null,
  });
  return {
    workspace,
    isLoading: isLoading || (workspace !== null && collectionList.isLoading),
    projects,
    project,
    selectProject,
    collectionList,
    collections: (collectionList.data ?? []).filter((one) => one.projectId === projectId),
    collection,
    keyList,
    apiKey: keyList.data?.find(({ id }) => id === state.key) ?? null,
    sample: sample.data ?? null,
    isSampleSettled: collection === null || !sample.isLoading,
    readSampleAgain: () => void sample.refetch(),
  };
}
