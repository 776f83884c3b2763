import { Button, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { mailIcon, usersIcon } from '#client/components/display/icon-shapes.gen.ts';
import { formatAgo, formatDate } from '#client/lib/format.ts';
import { roleWords } from '#client/lib/role-words.ts';
import type { Invitation } from '#shared/invitations.ts';
import classes from './rows.module.css';

interface InvitationRowProps {
  invitation: Invitation;
  isPending: boolean;
  onRevoke: () => void;
}

export function InvitationRow({ invitation, isPending, onRevoke }: InvitationRowProps) {
  const { email, role, invitedBy, createdAt } = invitation;
  const isOpen = invitation.state === 'open';
  const name = email ?? 'Anybody with the link';
  return (
    <li className={classes['row']}>
      <span className={classes['initials']}>
        <Icon shape={email === null ? usersIcon : mailIcon} size={18} />
      </span>
      <div className={classes['words']}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {roleWords[role].label} · invited {formatAgo(createdAt)}
          {invitedBy !== null && ` by ${invitedBy}`} · {endOf(invitation)}
        </Text>
      </div>
      <div className={classes['actions']}>
        <Button
          variant="default"
          size="xs"
          loading={isPending}
          aria-label={`${isOpen ? 'Revoke' : 'Remove'} the invitation of ${name}`}
          onClick={onRevoke}
        >
          {isOpen ? 'Revoke' : 'Remove'}
        </Button>
      </div>
    </li>
  );
}

function endOf({ state, expiresAt }: Invitation): string {
  if (state === 'expired') return `expired ${formatDate(expiresAt)}`;
  if (state === 'revoked') return 'not good any more: who invited may not';
  return `good until ${formatDate(expiresAt)}`;
}
