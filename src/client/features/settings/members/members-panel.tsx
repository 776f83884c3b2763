import { Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { Pager } from '#client/components/display/pager.tsx';
import { Panel } from '#client/components/display/panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { pageOf } from '#client/lib/page-of.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Member } from '#shared/members.ts';
import type { Role } from '#shared/roles.ts';
import type { OwnWorkspace } from '#shared/workspaces.ts';
import { MemberRow } from './member-row.tsx';
import { OwnRoleDialog } from './own-role-dialog.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import classes from './rows.module.css';
import { useGiveRole } from './use-give-role.ts';

interface MembersPanelProps {
  workspace: OwnWorkspace;
  page: number;
  onPageChange: (page: number) => void;
}

export function MembersPanel({ workspace, page: asked, onPageChange }: MembersPanelProps) {
  const { user } = useAuth();
  const list = trpc.members.list.useQuery({ workspaceId: workspace.id });
  const [removing, setRemoving] = useState<Member | null>(null);
  const [ownNext, setOwnNext] = useState<Role | null>(null);
  const { give, pendingId } = useGiveRole(workspace.id);
  const members = list.data ?? [];
  const owners = members.filter(({ role }) => role === 'owner').length;
  const askFor = (role: Role, own: Member) => setOwnNext(role === own.role ? null : role);
  const { shown, page, pages } = pageOf(members, asked);
  return (
    <Panel
      title="Members"
      detail={
        list.data && (
          <Text size="sm" c="dimmed">
            {formatNumber(members.length)}
          </Text>
        )
      }
    >
      {list.isError && (
        <ErrorView error={list.error} title="Failed to fetch members" onRetry={list.refetch} />
      )}
      {list.isPending && <RowsSkeleton />}
      {list.data && (
        <Stack gap="sm">
          <ul className={classes['list']}>
            {shown.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                isSelf={member.id === user?.id}
                ownRole={workspace.role}
                isOnlyOwner={member.role === 'owner' && owners === 1}
                isPending={pendingId === member.id}
                onRole={(role) => (member.id === user?.id ? askFor(role, member) : give(member, role))}
                onRemove={() => setRemoving(member)}
              />
            ))}
          </ul>
          {members.length === 1 && (
            <Text size="sm" c="dimmed">
              You are alone here. Whoever you invite sees the same projects and collections.
            </Text>
          )}
          <Text size="sm" c="dimmed">
            <AnchorLink to="/documentation/$article" params={{ article: 'members' }} hash="roles">
              What each role may do
            </AnchorLink>
          </Text>
          <Pager page={page} pages={pages} total={members.length} noun="members" onChange={onPageChange} />
        </Stack>
      )}
      <OwnRoleDialog
        workspace={workspace}
        role={ownNext}
        onConfirm={(role) => {
          const own = members.find(({ id }) => id === user?.id);
          if (own) give(own, role);
          setOwnNext(null);
        }}
        onClose={() => setOwnNext(null)}
      />
      <RemoveMemberDialog workspace={workspace} member={removing} onClose={() => setRemoving(null)} />
    </Panel>
  );
}

function RowsSkeleton() {
  return (
    <Stack gap="xs" aria-hidden="true">
      <Skeleton height={44} />
      <Skeleton height={44} />
    </Stack>
  );
}
