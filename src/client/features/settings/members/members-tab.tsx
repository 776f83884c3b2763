import { Text } from '@mantine/core';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { useMay, useWorkspace } from '#client/lib/workspace-provider.tsx';
import { Panels } from '../panels.tsx';
import type { SettingsTabProps } from '../settings-state.ts';
import { InvitationsPanel } from './invitations-panel.tsx';
import { MembersPanel } from './members-panel.tsx';

/** Who is in the chosen workspace, and who is invited to it. */
export function MembersTab({ state, onChange }: SettingsTabProps) {
  const { workspace, isLoading } = useWorkspace();
  const may = useMay();
  if (!workspace) return isLoading ? <TableSkeleton /> : <NoWorkspace />;
  return (
    <Panels key={workspace.id}>
      <MembersPanel workspace={workspace} page={state.page} onPageChange={(page) => onChange({ page })} />
      {may('admin') ? (
        <InvitationsPanel workspace={workspace} />
      ) : (
        <Text size="sm" c="dimmed">
          Its owners and admins invite others, give roles and remove members.
        </Text>
      )}
    </Panels>
  );
}
