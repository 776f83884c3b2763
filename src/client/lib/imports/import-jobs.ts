import { useSyncExternalStore } from 'react';

/**
 * The imports that this tab began, outside of any page: they go on wherever the reader goes. `ImportDock` shows them beside those that others
 * began.
 */
export interface ImportJob {
  /** By which the server knows it too; of a sample the beginning of it. */
  key: string;
  /** Whose it is. */
  userId: number;
  /** What is imported, as people know it: a file's name. */
  label: string;
  /** Null: it is being made. */
  collection: { id: number; name: string } | null;
  /** Null: not known yet. */
  rowsTotal: number | null;
  /** Null: nothing is uploaded. */
  upload: { sentBytes: number; totalBytes: number } | null;
  /** So many have their results. */
  rows: number;
  failed: number;
  /** Of rows that are in; absent: not known, or of a sample. Null: too many to count by their ids. */
  repeats?: { documents: number; ids: number; times: number | null } | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  state: 'running' | 'done' | 'failed' | 'cancelled';
  /** Why it is not done. */
  message: string | null;
  /** A search that shows what came in. */
  query: string;
  /** Absent: the server is asked to end it. */
  cancel?: () => void;
  /** Begins it once more. */
  retry?: () => void;
  /** Opens the rows that were refused. */
  showRejects?: () => void;
}

let jobs: readonly ImportJob[] = [];
const listeners = new Set<() => void>();

/** The newest first. One with the same key is replaced. */
export function addImportJob(job: ImportJob): void {
  publish([job, ...jobs.filter(({ key }) => key !== job.key)]);
}

export function updateImportJob(key: string, change: Partial<ImportJob>): void {
  publish(jobs.map((job) => (job.key === key ? { ...job, ...change } : job)));
}

export function removeImportJob(key: string): void {
  publish(jobs.filter((job) => job.key !== key));
}

export function findImportJob(key: string): ImportJob | undefined {
  return jobs.find((job) => job.key === key);
}

/** Whoever signs in sees nothing of the one before, whose uploads end. */
export function keepImportJobsOf(userId: number): void {
  const others = jobs.filter((job) => job.userId !== userId);
  if (others.length === 0) return;
  for (const { state, cancel } of others) if (state === 'running') cancel?.();
  publish(jobs.filter((job) => job.userId === userId));
}

export function useImportJobs(): readonly ImportJob[] {
  return useSyncExternalStore(subscribe, () => jobs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: readonly ImportJob[]): void {
  jobs = next;
  for (const listener of listeners) listener();
}
