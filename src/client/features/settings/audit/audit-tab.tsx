import { Stack } from '@mantine/core';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import type { SettingsTabProps } from '../settings-state.ts';
import { AuditEntryDrawer } from './audit-entry-drawer.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { AuditList } from './audit-list.tsx';
import { useAuditEntries } from './use-audit-entries.ts';

/** Who did what in the chosen workspace, and what was refused. */
export function AuditTab(props: SettingsTabProps) {
  const { workspace, isLoading } = useWorkspace();
  if (workspace) return <AuditLog key={workspace.id} workspaceId={workspace.id} {...props} />;
  return isLoading ? <TableSkeleton /> : <NoWorkspace />;
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
