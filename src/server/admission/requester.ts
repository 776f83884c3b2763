/** For whom work is done. Tenants share a resource evenly, within a tenant its workspaces do, and within a workspace those who call. */
export interface Requester {
  /** The account that owns the workspace whose things are used: it has one share, however many workspaces it has. */
  tenant: string;
  /** Absent: it is not known, or there is none. */
  workspace?: string;
  /** The key or user that calls. */
  caller: string;
  /** How much of what others have it has of the engine: with 1/4, each millisecond counts as four. Absent: as much. */
  weight?: number;
}

/** As whose requests those for a workspace count. Without an owner it stands for itself. */
export function tenantOf({ workspaceId, ownerId }: { workspaceId: number; ownerId: number | null }) {
  const workspace = `workspace:${workspaceId}`;
  return { tenant: ownerId === null ? workspace : accountName(ownerId), workspace };
}

/** As whose the statements count that find out who calls, and those of nobody who is known. */
export const strangersName = 'strangers';

export function accountName(userId: number): string {
  return `account:${userId}`;
}

/** The account itself calls, and nobody and nothing that it has let in. */
export function isAccountItself({ tenant, caller }: Requester): boolean {
  const [kind, id] = caller.split(':');
  return kind === 'user' && tenant === accountName(Number(id));
}

/** Among whom it shares, from the tenants down; `lane` keeps different work of one caller apart. */
export function pathOf(
  { tenant, workspace = '', caller }: Requester,
  lane = caller,
): [tenant: string, workspace: string, lane: string] {
  return [tenant, workspace, lane];
}
