import { Stack } from '@mantine/core';
import { historyIcon } from '#client/components/display/icon-shapes.gen.ts';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { useMay, useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { SettingsTabProps } from '../settings-state.ts';
import { AuditEntryDrawer } from './audit-entry-drawer.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import { useAuditEntries } from './use-audit-entries.ts';

/** Who did what in the chosen workspace, and what was refused. */
export function AuditTab(props: SettingsTabProps) {
  const { workspace, isLoading } = useWorkspace();
  const may = useMay();
  if (workspace && !may('owner')) return <ForOwners />;
  if (workspace) return <AuditLog key={workspace.id} workspaceId={workspace.id} {...props} />;
  return isLoading ? <TableSkeleton /> : <NoWorkspace />;
}

/** What an owner may ask for is not asked for by others: it would be refused, and stand in the log as that. */
function ForOwners() {
  return (
    <EmptyState
      icon={historyIcon}
      title="For its owners"
      description="Who did what in this workspace is told to its owners. What happens to your own account is in Security."
    />
  );
}

function AuditLog({ workspaceId, state, onChange }: SettingsTabProps & { workspaceId: number }) {
  const entries = useAuditEntries(workspaceId, state);
  const open = entries.list.data?.find(({ id }) => id === state.entry) ?? null;
  return (
    <Stack gap="md">
      <AuditFilters
        state={state}
        onChange={onChange}
        exporting={<AuditExport chosen={entries.chosen} total={entries.total.data ?? null} />}
      />
      <AuditList entries={entries} state={state} onChange={onChange} />
      <AuditEntryDrawer entry={open} onClose={() => onChange({ entry: 0 })} />
    </Stack>
  );
}
