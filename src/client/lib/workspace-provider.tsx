import { useLocation } from '@tanstack/react-router';
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import type { Project } from '#shared/projects.ts';
import type { Role } from '#shared/roles.ts';
import type { OwnWorkspace as Workspace } from '#shared/workspaces.ts';
import { findById, readSelection, type Selection, validSelection, writeSelection } from './selection.ts';
import { trpc } from './trpc.ts';
import { useTellGone } from './use-tell-gone.ts';

/**
 * The chosen workspace and project: `const { workspace, project } = useWorkspace()`. Opening a project's page chooses it, and a collection's page its project; on the list of
 * projects none is chosen.
 *
 * `workspace` is `null` while the list loads and where there is none ('Select a Workspace').
 */
export interface WorkspaceSelection {
  workspaces: Workspace[];
  isLoading: boolean;
  workspace: Workspace | null;
  /** The chosen workspace's projects. */
  projects: Project[];
  /** The chosen project; `null` means all of the workspace's. */
  project: Project | null;
  /** Also clears the selected project. */
  selectWorkspace(id: number): void;
  /** `null` selects none. */
  selectProject(id: number | null): void;
}

const WorkspaceContext = createContext<WorkspaceSelection | null>(null);

export function useWorkspace(): WorkspaceSelection {
  const selection = use(WorkspaceContext);
  if (!selection) throw new Error('useWorkspace must be used within a WorkspaceProvider');
  return selection;
}

export function WorkspaceProvider({ children }: { children: ReactNode }) {
  const [stored, setStored] = useState<Selection>(readSelection);
  const list = trpc.workspaces.list.useQuery();
  const page = useLocation({ select: ({ pathname }) => pageOfProjects(pathname) });
  const collection = useLocation({ select: ({ pathname }) => openedCollection(pathname) });
  const opened = useOpenedProject(page, collection);
  // The page of a project, or of a collection in it, is in its workspace, whichever was chosen before; leaving the page leaves it chosen.
  if (opened && (stored.projectId !== opened.projectId || stored.workspaceId !== opened.workspaceId)) {
    setStored(opened);
  }
  const { workspaceId, projectId } = validSelection(stored, list.data ?? []);
  const workspace = findById(list.data ?? [], workspaceId);
  useTellGone(list.data, workspace);
  const projectList = trpc.projects.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );

  // Storage is outside React: it follows what is shown, whatever the reason for the change.
  useEffect(() => writeSelection({ workspaceId, projectId }), [workspaceId, projectId]);

  const value = useMemo((): WorkspaceSelection => {
    const projects = projectList.data ?? [];
    return {
      workspaces: list.data ?? [],
      isLoading: list.isLoading,
      workspace,
      projects,
      project: page === 'all' ? null : findById(projects, projectId),
      selectWorkspace: (id) => setStored({ workspaceId: id, projectId: null }),
      selectProject: (id) => setStored({ workspaceId, projectId: id }),
    };
  }, [list.data, list.isLoading, projectList.data, workspace, workspaceId, projectId, page]);

  return <WorkspaceContext value={value}>{children}</WorkspaceContext>;
}

/** The project whose page is open, 'all' on the list of them; null elsewhere. */
function pageOfProjects(pathname: string): number | 'all' | null {
  const found = /^\/projects(?:\/(\d+))?\/?$/.exec(pathname);
  if (!found) return null;
  return found[1] === undefined ? 'all' : Number(found[1]);
}

/** The collection whose page is open. */
function openedCollection(pathname: string): number | null {
  const [, id] = /^\/collections\/(\d+)/.exec(pathname) ?? [];
  return id === undefined ? null : Number(id);
}

/** What choosing that project, or that collection's, would be, once it is known to be there. */
function useOpenedProject(page: number | 'all' | null, collectionId: number | null): Selection | null {
  const collection = trpc.collections.get.useQuery(
    { collection: collectionId ?? 0 },
    { enabled: collectionId !== null },
  );
  const ofCollection = collectionId === null ? null : (collection.data?.projectId ?? null);
  const id = typeof page === 'number' ? page : ofCollection;
  const { data } = trpc.projects.get.useQuery({ id: id ?? 0 }, { enabled: id !== null });
  return id !== null && data ? { workspaceId: data.workspaceId, projectId: data.id } : null;
}

/** By power. Written out: the schemas that have the list weigh more than the console's frame. */
const powers: Record<Role, number> = { viewer: 0, editor: 1, admin: 2, owner: 3 };

/**
 * Whether the reader has at least this role in the chosen workspace: `const may = useMay(); may('editor')`. What is not allowed is hidden,
 * or shown as read-only; the server checks it in any case. Where no workspace can be chosen, nothing is hidden.
 */
export function useMay(): (roleMin: Role) => boolean {
  const selection = use(WorkspaceContext);
  if (selection === null) return () => true;
  const { workspace } = selection;
  return (roleMin) => workspace !== null && powers[workspace.role] >= powers[roleMin];
}

/** What only members with at least this role are shown: buttons whose deed the server would refuse to others. */
export function May({ atLeast, children }: { atLeast: Role; children: ReactNode }) {
  const may = useMay();
  return may(atLeast) && children;
}
