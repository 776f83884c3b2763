import type { Project } from '#shared/projects.ts';
import type { OwnWorkspace as Workspace } from '#shared/workspaces.ts';
import { currentWorkspace, findById, readSelection } from './selection.ts';
import type { TrpcLoaders } from './trpc.ts';

/** The workspace and project that pages show, for loaders. A list of projects that cannot be had is the page's to complain about. */
export async function chosen(
  trpc: TrpcLoaders,
): Promise<{ workspace: Workspace | null; project: Project | null }> {
  const workspace = currentWorkspace(await trpc.workspaces.list.ensureData());
  if (!workspace) return { workspace, project: null };
  const input = { workspaceId: workspace.id };
  if (!trpc.projects.list.getData(input)) await trpc.projects.list.prefetch(input);
  return { workspace, project: findById(trpc.projects.list.getData(input) ?? [], readSelection().projectId) };
}
