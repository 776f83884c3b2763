import type { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import type { Project } from '#shared/projects.ts';
import type { Workspace } from '#shared/workspaces.ts';

export type Client = ReturnType<typeof trpc.useUtils>['client'];

/** A collection with what it lies in. */
export interface OwnedCollection {
  workspace: Workspace;
  project: Project;
  collection: Collection;
}

/** What lies in the workspaces that the account is an owner of. */
export interface Owned {
  workspaces: Workspace[];
  projects: { workspace: Workspace; project: Project }[];
  collections: OwnedCollection[];
}

export async function listOwned(client: Client, signal: AbortSignal): Promise<Owned> {
  const owned: Owned = { workspaces: [], projects: [], collections: [] };
  for (const workspace of await client.workspaces.list.query(undefined, { signal })) {
    const { role } = await client.workspaces.membership.query({ id: workspace.id }, { signal });
    if (role !== 'owner') continue;
    owned.workspaces.push(workspace);
    for (const project of await client.projects.list.query({ workspaceId: workspace.id }, { signal })) {
      owned.projects.push({ workspace, project });
      for (const collection of await client.collections.list.query({ projectId: project.id }, { signal }))
        owned.collections.push({ workspace, project, collection });
    }
  }
  return owned;
}
