import { useEffect, useRef } from 'react';
import type { Alert } from '#shared/alerts.ts';
import { raisedWords } from './alert-words.ts';
import { toast } from './toast.ts';
import { trpc } from './trpc.ts';
import { useWorkspace } from './workspace-provider.tsx';

/** So many are told at once. */
const shownMax = 20;

/** What is asked for; the notifications and the page share the answer. */
export const activeAlerts = (workspaceId: number) =>
  ({ workspaceId, status: 'active', page: 1, per_page: shownMax }) as const;

/** What the chosen workspace's rules have raised and not resolved yet. One that is raised from now on is told by a toast. */
export function useActiveAlerts(): Alert[] {
  const { workspace } = useWorkspace();
  const workspaceId = workspace?.id ?? null;
  const { data } = trpc.alerts.list.useQuery(activeAlerts(workspaceId ?? 0), {
    enabled: workspaceId !== null,
  });
  const known = useRef<{ workspaceId: number | null; newest: number } | null>(null);
  useEffect(() => {
    if (!data) return;
    const newest = Math.max(0, ...data.map(({ id }) => id));
    const before = known.current?.workspaceId === workspaceId ? known.current.newest : null;
    known.current = { workspaceId, newest: Math.max(before ?? 0, newest) };
    // Those that are there when the page is opened stand in the list.
    if (before === null) return;
    for (const alert of data.filter(({ id }) => id > before).toReversed())
      toast({ title: `Alert: ${alert.name}`, description: raisedWords(alert), kind: 'error' });
  }, [data, workspaceId]);
  return data ?? [];
}
