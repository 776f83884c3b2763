import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { endExports, useIsExporting } from '#client/lib/exports/export-jobs.ts';
import {
  type ImportJob,
  keepImportJobsOf,
  updateImportJob,
  useImportJobs,
} from '#client/lib/imports/import-jobs.ts';
import { invalidate } from '#client/lib/invalidate.ts';
import { useLiveState } from '#client/lib/live/live-state.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useAskBeforeLeaving } from '#client/lib/use-ask-before-leaving.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { ImportUnderWay } from '#shared/dashboard.ts';
import { isTheSame, mergeImports, type ShownImport } from './merge-imports.ts';
import { RateMeter } from './rate-meter.ts';

const askedEveryMs = 1_000;
const none: ImportUnderWay[] = [];

export type MeteredImport = ShownImport & {
  /** Documents a second; null: not known yet. */
  rate: number | null;
};

/** The imports to show. How far they are is told by the stream of changes; while that is broken, the server is asked. */
export function useImports(): MeteredImport[] {
  const { user } = useAuth();
  const { workspace } = useWorkspace();
  const jobs = useImportJobs();
  const isRunning = jobs.some(({ state }) => state === 'running');
  const isTold = useLiveState();
  const { data = none } = trpc.dashboard.importsUnderWay.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    {
      enabled: workspace !== null,
      refetchInterval: ({ state }) =>
        !isTold && (isRunning || (state.data ?? []).length > 0) ? askedEveryMs : false,
    },
  );
  useTold(jobs, data);
  // Samples and the imports of others are the server's; an upload is this page's, and so is an export.
  const isExporting = useIsExporting();
  useAskBeforeLeaving(
    isExporting || jobs.some(({ state, upload }) => state === 'running' && upload !== null),
  );
  const seen = data.map(({ id }) => id).join();
  useNews(seen);
  useOtherTabs(seen);
  useEffect(() => {
    if (user) keepImportJobsOf(user.id);
  }, [user]);
  // The dock is there as long as somebody is signed in.
  useEffect(() => endExports, []);

  const meters = useRef(new Map<string, RateMeter>());
  const before = meters.current;
  meters.current = new Map();
  return mergeImports(jobs, data).map((shown) => {
    // A sample that is loaded once more has the key of before.
    const run = `${shown.startedAt} ${shown.key}`;
    const meter = before.get(run) ?? new RateMeter();
    meters.current.set(run, meter);
    if (shown.state === 'running') meter.note(shown.rows, Date.now());
    return { ...shown, rate: meter.rate };
  });
}

/** What was told of an import is kept: of one that is cut off it is all that is known. */
function useTold(jobs: readonly ImportJob[], underWay: readonly ImportUnderWay[]): void {
  useEffect(() => {
    for (const job of jobs) {
      const told = job.state === 'running' ? underWay.find((one) => isTheSame(job, one)) : undefined;
      if (!told || (told.rows === job.rows && job.collection !== null)) continue;
      const { rows, failed, collection } = told;
      updateImportJob(job.key, { rows, failed, collection });
    }
  }, [jobs, underWay]);
}

/** What begins and ends elsewhere changes collections and their counts here. */
function useNews(seen: string): void {
  const queryClient = useQueryClient();
  const before = useRef(seen);
  useEffect(() => {
    if (before.current === seen) return;
    before.current = seen;
    void invalidate(queryClient, 'documents');
  }, [queryClient, seen]);
}

/** What one tab sees beginning or ending the others look at as well; they have nothing more to tell then. */
function useOtherTabs(seen: string): void {
  const utils = trpc.useUtils();
  const own = useRef<BroadcastChannel | null>(null);
  const told = useRef(seen);
  useEffect(() => {
    const channel = new BroadcastChannel('imports');
    channel.onmessage = () => void utils.dashboard.importsUnderWay.invalidate();
    own.current = channel;
    return () => channel.close();
  }, [utils]);
  useEffect(() => {
    if (told.current === seen) return;
    told.current = seen;
    own.current?.postMessage(null);
  }, [seen]);
}
