import { ActionIcon, Badge, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Tip } from '#client/components/later/tip.tsx';
import { formatDate } from '#client/lib/format.ts';
import { roleWords } from '#client/lib/role-words.ts';
import type { Member } from '#shared/members.ts';
import { isAtLeast, type Role } from '#shared/roles.ts';
import { nameOf } from './name-of.ts';
import { RoleSelect } from './role-select.tsx';
import classes from './rows.module.css';

interface MemberRowProps {
  member: Member;
  isSelf: boolean;
  /** The reader's, who changes nobody above it. */
  ownRole: Role;
  isOnlyOwner: boolean;
  isPending: boolean;
  onRole: (role: Role) => void;
  onRemove: () => void;
}

export function MemberRow({ member, isSelf, ownRole, isOnlyOwner, ...props }: MemberRowProps) {
  const name = nameOf(member);
  const mayChange = isAtLeast(ownRole, 'admin') && isAtLeast(ownRole, member.role) && !isOnlyOwner;
  return (
    <li className={classes['row']}>
      <span className={classes['initials']} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <div className={classes['words']}>
        <Text size="sm" fw={600} component="div" className={classes['name'] ?? ''}>
          <span dir="auto">{name}</span>
          {isSelf && <Badge>You</Badge>}
        </Text>
        <Text size="xs" c="dimmed">
          {member.email} · since {formatDate(member.createdAt)}
        </Text>
      </div>
      <div className={classes['actions']}>
        {mayChange ? (
          <RoleSelect
            className={classes['role'] ?? ''}
            aria-label={`Role of ${name}`}
            size="xs"
            most={ownRole}
            value={member.role}
            disabled={props.isPending}
            onChange={props.onRole}
          />
        ) : (
          <Text size="sm" c="dimmed">
            {isOnlyOwner ? 'Only owner' : roleWords[member.role].label}
          </Text>
        )}
        {mayChange && !isSelf && (
          <Tip label="Remove from the workspace">
            <ActionIcon aria-label={`Remove ${name}`} onClick={props.onRemove}>
              <Icon shape={trashIcon} />
            </ActionIcon>
          </Tip>
        )}
      </div>
    </li>
  );
}

function initialsOf(name: string): string {
  const [first = '', last = ''] = name.split(/\s+/);
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase();
}
