import { Badge, Drawer, Group, Stack, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatDateTime } from '#client/lib/format.ts';
import { useLast } from '#client/lib/use-last.ts';
import type { AuditEntry } from '#shared/audit-entries.ts';
import classes from './audit-entry-drawer.module.css';
import { actorWords, nameOfActor, targetText, wordsOf } from './audit-words.ts';

/** All that is written down of one. */
export function AuditEntryDrawer({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  const shown = useLast(entry);
  return (
    <Drawer
      opened={entry !== null}
      onClose={onClose}
      position="right"
      title={shown ? wordsOf(shown) : ''}
      classNames={{ title: classes['title'] ?? '' }}
      padding="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {shown && <Details entry={shown} />}
    </Drawer>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const { outcome, times, actor, address, userAgent, requestId, action, createdAt } = entry;
  return (
    <Stack>
      <Group gap="xs">
        <Badge color={outcome === 'done' ? 'green' : 'red'}>
          {outcome === 'done' ? 'Done' : 'Refused'}
          {times > 1 && ` ${times} times`}
        </Badge>
        <Text size="sm" c="dimmed">
          {formatDateTime(createdAt)}
        </Text>
      </Group>
      <dl className={classes['facts']}>
        <Fact name="Who">
          <bdi>{nameOfActor(entry)}</bdi>
          {(actor.kind === 'user' || actor.kind === 'key') && (
            <Text span size="sm" c="dimmed">
              {' '}
              · {actorWords[actor.kind]}, id {actor.id ?? '–'}
            </Text>
          )}
        </Fact>
        <Fact name="About">{targetText(entry)}</Fact>
        <Fact name="Address">{address}</Fact>
        <Fact name="Browser or client">{userAgent}</Fact>
        <Fact name="Action">
          <code>{action}</code>
        </Fact>
        <Fact name="Request">{requestId && <code>{requestId}</code>}</Fact>
      </dl>
      <Changes before={entry.before} after={entry.after} />
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === '') return null;
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  );
}

/** What was changed, as it was and as it is. */
function Changes({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (names.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={280} type="native">
      <Table verticalSpacing="xs" horizontalSpacing="xs" className={classes['changes'] ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Changed</Table.Th>
            <Table.Th>Before</Table.Th>
            <Table.Th>After</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row">{name}</Table.Th>
              <Table.Td>{valueText(before?.[name])}</Table.Td>
              <Table.Td>{valueText(after?.[name])}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
