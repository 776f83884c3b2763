import type { Project } from '#shared/projects.ts';
import type { Workspace } from '#shared/workspaces.ts';

/**
 * Which workspace and project the reader works in. Ids are strings here, as in the storage; empty means none.
 * `useWorkspace()` is how components read it; loaders use `currentWorkspace`.
 */
export interface Selection {
  workspaceId: string;
  projectId: string;
}

export const selectionKeys = { workspaceId: 'selectedWorkspaceId', projectId: 'selectedProjectId' } as const;

export function readSelection(): Selection {
  return { workspaceId: read(selectionKeys.workspaceId), projectId: read(selectionKeys.projectId) };
}

/** An empty value removes its key. */
export function writeSelection(selection: Selection): void {
  write(selectionKeys.workspaceId, selection.workspaceId);
  write(selectionKeys.projectId, selection.projectId);
}

/** A workspace that is not in the list gives way to the first one, and the project is cleared. */
export function validSelection(selection: Selection, workspaces: Pick<Workspace, 'id'>[]): Selection {
  const first = workspaces[0];
  const isListed = workspaces.some((workspace) => String(workspace.id) === selection.workspaceId);
  if (isListed || !first) return selection;
  return { workspaceId: String(first.id), projectId: '' };
}

/** The workspace that pages show, for loaders. */
export function currentWorkspace(workspaces: Workspace[]): Workspace | null {
  const { workspaceId } = validSelection(readSelection(), workspaces);
  return workspaces.find((workspace) => String(workspace.id) === workspaceId) ?? null;
}

export function findById<T extends Pick<Project, 'id'>>(rows: T[], id: string): T | null {
  return rows.find((row) => String(row.id) === id) ?? null;
}

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? '';
  } catch {
    return ''; // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

function write(key: string, value: string): void {
  try {
    if (value) localStorage.setItem(key, value);
    else localStorage.removeItem(key);
  } catch {
    // As above.
  }
}
