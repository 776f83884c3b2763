/** What the dashboard asks for; its route's loader and its parts name the same inputs. */
export const usageDays = 7;
export const activityLimit = 8;
export const recentCollectionsShown = 3;

export interface DashboardScope {
  /** Absent where there is no workspace: then all of the user's. */
  workspaceId?: number;
}
