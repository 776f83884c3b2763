import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { CopyButton } from '#client/components/fields/copy-button.tsx';
import { formatDateTime } from '#client/lib/format.ts';
import { asRole } from '#client/lib/role-words.ts';
import type { NewInvitation } from '#shared/invitations.ts';
import classes from './rows.module.css';

/** The link, which is shown here and nowhere again. */
export function InvitationMade(props: { invitation: NewInvitation; onClose: () => void }) {
  const { token, email, role, letter, expiresAt } = props.invitation;
  // Where the reader is, the invited one will get to as well.
  const url = `${window.location.origin}/invitations/${token}`;
  return (
    <Stack>
      <Text size="sm" role={letter === 'failed' ? 'alert' : 'status'}>
        {letter === 'sent' && `The link was mailed to ${email}. `}
        {letter === 'failed' && `The letter to ${email} could not be sent. Pass the link on yourself. `}
        {letter === 'off' && `Pass this link on to ${email ?? 'whom you invite'}. `}
        Who opens it joins {asRole(role)}; it is good once, until {formatDateTime(expiresAt)}.
      </Text>
      <TextInput
        label="Link"
        description="It is not shown again."
        readOnly
        value={url}
        classNames={{ input: classes['link'] ?? '' }}
        rightSection={<CopyButton value={url} label="Copy link" />}
        onFocus={(event) => event.currentTarget.select()}
        data-autofocus
      />
      <Group justify="flex-end">
        <Button onClick={props.onClose}>Done</Button>
      </Group>
    </Stack>
  );
}
