import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { Workspace } from '#shared/workspaces.ts';
import { Panels } from '../panels.tsx';
import { DeleteWorkspacePanel } from './delete-workspace-panel.tsx';
import { LeaveWorkspacePanel } from './leave-workspace-panel.tsx';
import { WorkspacePanel } from './workspace-panel.tsx';

/** Of the workspace that is chosen. */
export function WorkspaceTab() {
  const { workspace, isLoading } = useWorkspace();
  if (workspace) return <WorkspaceSettings key={workspace.id} workspace={workspace} />;
  return isLoading ? <TableSkeleton /> : <NoWorkspace />;
}

function WorkspaceSettings({ workspace }: { workspace: Workspace }) {
  const membership = trpc.workspaces.membership.useQuery({ id: workspace.id });
  if (membership.isError)
    return (
      <ErrorView
        error={membership.error}
        title="Failed to fetch your role in this workspace"
        onRetry={membership.refetch}
      />
    );
  if (!membership.data) return <TableSkeleton />;
  const given = { workspace, membership: membership.data };
  return (
    <Panels>
      <WorkspacePanel {...given} />
      <LeaveWorkspacePanel {...given} />
      <DeleteWorkspacePanel {...given} />
    </Panels>
  );
}
