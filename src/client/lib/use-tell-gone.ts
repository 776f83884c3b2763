import { useEffect, useRef } from 'react';
import type { OwnWorkspace as Workspace } from '#shared/workspaces.ts';
import { takeDeparture } from './own-departures.ts';
import { toast } from './toast.ts';

/** Says why the page suddenly shows another workspace: the one that was shown is deleted, or the reader is no longer in it. `workspaces`: undefined while they are not known. */
export function useTellGone(workspaces: Workspace[] | undefined, shown: Workspace | null): void {
  const before = useRef<Workspace | null>(null);
  useEffect(() => {
    const gone = before.current;
    before.current = shown;
    if (!gone || !workspaces || workspaces.some(({ id }) => id === gone.id)) return;
    if (takeDeparture(gone.id)) return;
    const now = shown ? ` ${shown.name} is shown now.` : '';
    toast({
      title: `You are no longer in ${gone.name}`,
      description: `It was deleted, or you were removed from it.${now}`,
      kind: 'error',
    });
  }, [workspaces, shown]);
}
