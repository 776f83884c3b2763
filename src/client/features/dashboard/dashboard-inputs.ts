/** What the dashboard asks for; its route's loader and its parts name the same. */
export interface DashboardScope {
  /** Absent where there is no workspace: then all of the user's. */
  workspaceId?: number;
  /** Absent: all of the workspace's. */
  projectId?: number;
}

export function dashboardScope(chosen: {
  workspace: { id: number } | null;
  project: { id: number } | null;
}): DashboardScope {
  const { workspace, project } = chosen;
  return { ...(workspace && { workspaceId: workspace.id }), ...(project && { projectId: project.id }) };
}

export function usageInput(scope: DashboardScope) {
  return { ...scope, days: 7 };
}

/** Of the whole workspace: what happened is not told by project. */
export function activityInput({ workspaceId }: DashboardScope) {
  return { ...(workspaceId !== undefined && { workspaceId }), limit: 8 };
}

/** Requests are too many to be told of one by one: what counts them is asked for when it is opened, and every so often while it is in view. */
export const countsRequests = { staleTime: 5_000, refetchInterval: 15_000 };
