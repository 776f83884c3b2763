import { useEffect, useRef } from 'react';
import type { Alert } from '#shared/alerts.ts';
import { raisedWords, resolvedWords } from './alert-words.ts';
import { toast } from './toast.ts';
import { trpc } from './trpc.ts';
import { useWorkspace } from './workspace-provider.tsx';

/** So many are told at once. */
const shownMax = 20;

interface Known {
  workspaceId: number | null;
  newest: number;
  shown: Alert[];
}

/** What is asked for; the notifications and the page share the answer. */
export const activeAlerts = (workspaceId: number) =>
  ({ workspaceId, status: 'active', page: 1, per_page: shownMax }) as const;

/** What the chosen workspace's rules have raised and not resolved yet. One that is raised or resolved from now on is told by a toast. */
export function useActiveAlerts(): Alert[] {
  const { workspace } = useWorkspace();
  const workspaceId = workspace?.id ?? null;
  const { data } = trpc.alerts.list.useQuery(activeAlerts(workspaceId ?? 0), {
    enabled: workspaceId !== null,
  });
  const known = useRef<Known | null>(null);
  useEffect(() => {
    if (!data) return;
    const newest = Math.max(0, ...data.map(({ id }) => id));
    const before = known.current?.workspaceId === workspaceId ? known.current : null;
    known.current = { workspaceId, newest: Math.max(before?.newest ?? 0, newest), shown: data };
    // Those that are there when the page is opened stand in the list.
    if (before === null) return;
    for (const alert of resolvedSince(before.shown, data))
      toast({ title: `Resolved: ${alert.name}`, description: resolvedWords(alert) });
    for (const alert of data.filter(({ id }) => id > before.newest).toReversed())
      toast({ title: `Alert: ${alert.name}`, description: raisedWords(alert), kind: 'error' });
  }, [data, workspaceId]);
  return data ?? [];
}

/** Oldest first. One that newer ones have pushed off the end of a full list is still active. */
function resolvedSince(before: Alert[], now: Alert[]): Alert[] {
  const active = new Set(now.map(({ id }) => id));
  const oldest = now.length < shownMax ? 0 : Math.min(...active);
  return before.filter(({ id }) => id >= oldest && !active.has(id)).toReversed();
}
