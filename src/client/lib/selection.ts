import type { OwnWorkspace as Workspace } from '#shared/workspaces.ts';

/**
 * Which workspace and project the reader works in; null: none.
 * `useWorkspace()` is how components read it; loaders use `currentWorkspace`.
 */
export interface Selection {
  workspaceId: number | null;
  projectId: number | null;
}

const keys = { workspaceId: 'selectedWorkspaceId', projectId: 'selectedProjectId' } as const;

export function readSelection(): Selection {
  return { workspaceId: read(keys.workspaceId), projectId: read(keys.projectId) };
}

/** `null` removes its key. */
export function writeSelection(selection: Selection): void {
  write(keys.workspaceId, selection.workspaceId);
  write(keys.projectId, selection.projectId);
}

/** A workspace that is not in the list gives way to the first one, and the project is cleared. */
export function validSelection(selection: Selection, workspaces: Pick<Workspace, 'id'>[]): Selection {
  const first = workspaces[0];
  const isListed = workspaces.some(({ id }) => id === selection.workspaceId);
  if (isListed || !first) return selection;
  return { workspaceId: first.id, projectId: null };
}

/** The workspace that pages show, for loaders. */
export function currentWorkspace(workspaces: Workspace[]): Workspace | null {
  const { workspaceId } = validSelection(readSelection(), workspaces);
  return findById(workspaces, workspaceId);
}

export function findById<T extends { id: number }>(rows: T[], id: number | null): T | null {
  return rows.find((row) => row.id === id) ?? null;
}

function read(key: string): number | null {
  try {
    return Number(localStorage.getItem(key)) || null;
  } catch {
    return null; // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

function write(key: string, id: number | null): void {
  try {
    if (id === null) localStorage.removeItem(key);
    else localStorage.setItem(key, String(id));
  } catch {
    // As above.
  }
}
