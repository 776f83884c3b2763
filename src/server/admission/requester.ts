/** For whom work is done. Tenants share a resource evenly, and within a tenant those who call do. */
export interface Requester {
  /** The workspace whose things are used. */
  tenant: string;
  /** The key or user that calls. */
  caller: string;
  /** How much of what others have it has of the engine: with 1/4, each millisecond counts as four. Absent: as much. */
  weight?: number;
}
