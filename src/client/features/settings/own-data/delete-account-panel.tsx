import { Button } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Panel } from '#client/components/display/panel.tsx';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import type { User } from '#shared/accounts.ts';
import { ActionRow } from '../action-row.tsx';
import { DeleteAccountForm } from './delete-account-form.tsx';

export function DeleteAccountPanel({ user }: { user: User }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Panel title="Delete your account">
      <ActionRow text="Your account goes at once and for good, and with it the workspaces that nobody else is in. Export what you want to keep first.">
        <Button
          variant="default"
          c="red"
          leftSection={<Icon shape={trashIcon} />}
          onClick={() => setAsking(true)}
        >
          Delete account
        </Button>
      </ActionRow>
      <Dialog opened={isAsking} onClose={() => setAsking(false)} title="Delete your account">
        <DeleteAccountForm user={user} onClose={() => setAsking(false)} />
      </Dialog>
    </Panel>
  );
}
