import type { ImportJob } from '#client/lib/imports/import-jobs.ts';
import type { ImportUnderWay } from '#shared/dashboard.ts';
import { type SampleName, sampleSets } from '#shared/sample-sets.ts';

/** An import as the dock shows it. */
export type ShownImport = Omit<ImportJob, 'userId'> & {
  /** Of the server's record; null: it does not tell of it, or not yet. */
  importId: number | null;
};

/**
 * What this tab began, with the server's counts of it, and then what others began: another tab, this one before it was loaded anew, or an
 * application.
 */
export function mergeImports(jobs: readonly ImportJob[], underWay: readonly ImportUnderWay[]): ShownImport[] {
  const own = jobs.map((job): ShownImport => {
    const told = underWay.find((one) => isTheSame(job, one));
    const { userId: _, ...shown } = job;
    if (!told || job.state !== 'running') return { ...shown, importId: null };
    const { id, rows, failed, collection } = told;
    return { ...shown, importId: id, rows, failed, collection };
  });
  const others = underWay.filter((one) => !jobs.some((job) => isTheSame(job, one)));
  return [...own, ...others.map(ofOthers)];
}

/** Whether the server speaks of an import that this tab began. */
export function isTheSame({ key }: ImportJob, { idempotencyKey }: ImportUnderWay): boolean {
  if (idempotencyKey === null) return false;
  return key.startsWith('sample:') ? idempotencyKey.startsWith(key) : idempotencyKey === key;
}

function ofOthers(one: ImportUnderWay): ShownImport {
  const { id, idempotencyKey, rows, failed, collection, startedAt } = one;
  const known = describeKey(idempotencyKey ?? '');
  return {
    key: `import:${id}`,
    importId: id,
    label: known.label ?? collection.name,
    collection,
    rowsTotal: known.rowsTotal,
    upload: null,
    rows,
    failed,
    startedAt: Date.parse(startedAt),
    state: 'running',
    message: null,
    query: known.query,
  };
}

const consoleKey = 'console:';

/** Says what is sent, so that other tabs know it: printable ASCII of at most 255 characters. */
export function uploadKey(fileName: string, id: string): string {
  const cut = [...fileName].slice(0, 40).join('');
  return `${consoleKey}${id}:${encodeURIComponent(cut.toWellFormed())}`;
}

function describeKey(key: string): { label: string | null; rowsTotal: number | null; query: string } {
  const unknown = { label: null, rowsTotal: null, query: '' };
  if (key.startsWith('sample:')) {
    const set = sampleSets[key.split(':')[1] as SampleName] as (typeof sampleSets)[SampleName] | undefined;
    return set ? { label: set.title, rowsTotal: set.documents, query: set.query } : unknown;
  }
  const name = key.startsWith(consoleKey) ? key.split(':')[2] : undefined;
  return name ? { ...unknown, label: decoded(name) } : unknown;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Somebody else's key, which only begins like one of ours.
    return name;
  }
}
