/** Workspaces that this tab itself has left or deleted, or is about to: nobody has to be told that they are gone. */
const departed = new Set<number>();

export function noteDeparture(workspaceId: number): void {
  departed.add(workspaceId);
}

/** It was refused, or is asked for once. */
export function takeDeparture(workspaceId: number): boolean {
  return departed.delete(workspaceId);
}
