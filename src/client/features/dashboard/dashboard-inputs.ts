/** What the dashboard asks for; its route's loader and its parts name the same. */
export interface DashboardScope {
  /** Absent where there is no workspace: then all of the user's. */
  workspaceId?: number;
}

export function dashboardScope(workspace: { id: number } | null): DashboardScope {
  return workspace ? { workspaceId: workspace.id } : {};
}

export function usageInput(scope: DashboardScope) {
  return { ...scope, days: 7 };
}

export function activityInput(scope: DashboardScope) {
  return { ...scope, limit: 8 };
}
