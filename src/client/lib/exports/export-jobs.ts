import { useSyncExternalStore } from 'react';
import { download } from '../download.ts';
import { errorMessage } from '../error-message.ts';
import { formatNumber } from '../format.ts';
import { toast } from '../toast.ts';
import { exportDocuments } from './export-documents.ts';

/** An export of this tab, outside of any page: it goes on wherever the reader goes, and is saved when it is whole. */
export interface ExportJob {
  collection: { id: number; name: string };
  /** Empty: all documents. */
  filter: string;
  state: 'running' | 'saved' | 'failed';
  documents: number;
  bytes: number;
  /** Why nothing was saved. */
  message: string | null;
  cancel: () => void;
}

type NewExport = Pick<ExportJob, 'collection' | 'filter'>;

/** The latest of each collection, by its id. */
let jobs: ReadonlyMap<number, ExportJob> = new Map();
const listeners = new Set<() => void>();

/** Of a collection one at a time: a second call while one is under way does nothing. */
export async function startExport({ collection, filter }: NewExport): Promise<void> {
  const { id, name } = collection;
  if (jobs.get(id)?.state === 'running') return;
  const controller = new AbortController();
  const { signal } = controller;
  const cancel = () => controller.abort();
  put({ collection, filter, state: 'running', documents: 0, bytes: 0, message: null, cancel });
  try {
    const onProgress = (documents: number, bytes: number) => change(id, { documents, bytes });
    download(`${name}.ndjson`, await exportDocuments({ collection: id, filter, signal, onProgress }));
    change(id, { state: 'saved' });
    const { documents = 0 } = jobs.get(id) ?? {};
    const count = `${formatNumber(documents)} ${documents === 1 ? 'document' : 'documents'}`;
    toast({ title: 'Export saved', description: `${count} of ${name}` });
  } catch (error) {
    if (signal.aborted) return remove(id);
    const message = `Nothing was saved: ${errorMessage(error, 'the export broke off')}`;
    change(id, { state: 'failed', message });
    toast({ title: `The export of ${name} failed`, description: message, kind: 'error' });
  }
}

/** Who leaves takes nothing along: what is under way ends. */
export function endExports(): void {
  for (const { state, cancel } of jobs.values()) if (state === 'running') cancel();
  publish(new Map());
}

/** Of a collection; null: none since the page was loaded, or it was cancelled. */
export function useExportJob(collectionId: number): ExportJob | null {
  return useSyncExternalStore(subscribe, () => jobs.get(collectionId) ?? null);
}

export function useIsExporting(): boolean {
  return useSyncExternalStore(subscribe, () => [...jobs.values()].some(({ state }) => state === 'running'));
}

function put(job: ExportJob): void {
  publish(new Map(jobs).set(job.collection.id, job));
}

function change(id: number, changed: Partial<ExportJob>): void {
  const job = jobs.get(id);
  if (job) put({ ...job, ...changed });
}

function remove(id: number): void {
  publish(new Map([...jobs].filter(([key]) => key !== id)));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function publish(next: ReadonlyMap<number, ExportJob>): void {
  jobs = next;
  for (const listener of listeners) listener();
}
