import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';

interface Choice {
  /** All in reach. */
  collections: Collection[];
  /** Ids in the address, or of what was asked last. */
  wanted: number[] | undefined;
  /** Of the conversation, which stays in its project; null: a new one. */
  fixedProject: number | null;
  /** The one chosen in the frame. */
  project: number | null;
}

export interface Askable {
  projectId: number | null;
  /** Active ones of that project. */
  inProject: Collection[];
  chosen: Collection[];
}

/** Which collections are asked: those that are wanted, else all of a project that hold documents. One question is about one project. */
export function chooseCollections({ collections, wanted = [], fixedProject, project }: Choice): Askable {
  const active = collections.filter(
    ({ isActive, projectId }) => isActive && (fixedProject === null || projectId === fixedProject),
  );
  const isFilled = ({ documentCount }: Collection) => documentCount > 0;
  const first =
    active.find(({ id }) => wanted.includes(id)) ??
    (project === null ? (active.find(isFilled) ?? active[0]) : null);
  const projectId = fixedProject ?? first?.projectId ?? project;
  const inProject = active.filter((each) => each.projectId === projectId);
  const named = inProject.filter(({ id }) => wanted.includes(id));
  const filled = inProject.filter(isFilled);
  const most = [named, filled, inProject].find(({ length }) => length > 0) ?? [];
  return { projectId, inProject, chosen: most.slice(0, limits.chatCollectionsMax) };
}
