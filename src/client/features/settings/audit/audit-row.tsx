import { Badge, Text, UnstyledButton } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import {
  keyIcon,
  serverIcon,
  userIcon,
  userQuestionIcon,
} from '#client/components/display/icon-shapes.gen.ts';
import cells from '#client/components/display/table-panel.module.css';
import { formatDateTime } from '#client/lib/format.ts';
import type { AuditEntry } from '#shared/audit-entries.ts';
import classes from './audit-row.module.css';
import { actorWords, nameOfActor, targetText, wordsOf } from './audit-words.ts';

const actorIcons = { user: userIcon, key: keyIcon, nobody: userQuestionIcon, operator: serverIcon } as const;

export function AuditRow({ entry, onOpen }: { entry: AuditEntry; onOpen: () => void }) {
  const { createdAt, actor, outcome, times, address } = entry;
  return (
    <tr className={classes['row']} onClick={onOpen}>
      <td className={classes['when']}>{formatDateTime(createdAt)}</td>
      <td className={cells['name']}>
        <UnstyledButton
          className={classes['open'] ?? ''}
          onClick={(event) => {
            event.stopPropagation();
            onOpen();
          }}
        >
          {wordsOf(entry)}
        </UnstyledButton>
        {outcome === 'refused' && (
          <Badge color="red" ml={8} miw="max-content">
            Refused{times > 1 && ` ${times} times`}
          </Badge>
        )}
      </td>
      <td className={cells['name']}>
        <span className={classes['who']}>
          <span className={classes['kind']} title={actorWords[actor.kind]}>
            <Icon shape={actorIcons[actor.kind]} size={16} />
          </span>
          <bdi>{nameOfActor(entry)}</bdi>
        </span>
      </td>
      <td className={cells['words']}>
        <Text size="sm" c="dimmed" dir="auto">
          {targetText(entry) ?? '–'}
        </Text>
      </td>
      <td className={cells['date']}>
        <Text size="sm" c="dimmed">
          {address ?? '–'}
        </Text>
      </td>
    </tr>
  );
}
