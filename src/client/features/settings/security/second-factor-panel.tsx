import { Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import { useState } from 'react';
import { Panel } from '#client/components/display/panel.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { SecondFactor } from '#shared/second-factor.ts';
import { ChangeByCodeDialog } from './change-by-code-dialog.tsx';
import { SetUpDialog } from './set-up-dialog.tsx';

type Open = 'set up' | 'renew' | 'turn off';

/** A code of an authenticator app, asked for after the password. */
export function SecondFactorPanel() {
  const state = trpc.secondFactor.get.useQuery();
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <Panel title="Two-step sign-in" detail={state.data && <StateBadge isOn={state.data.isOn} />}>
      {state.isError && (
        <ErrorView error={state.error} title="Failed to fetch two-step sign-in" onRetry={state.refetch} />
      )}
      {state.isPending && <Skeleton height={36} />}
      {state.data && <Choices state={state.data} onOpen={setOpen} />}
      <SetUpDialog opened={open === 'set up'} onClose={close} />
      <ChangeByCodeDialog change="renew" opened={open === 'renew'} onClose={close} />
      <ChangeByCodeDialog change="turn off" opened={open === 'turn off'} onClose={close} />
    </Panel>
  );
}

function StateBadge({ isOn }: { isOn: boolean }) {
  return <Badge color={isOn ? 'green' : 'gray'}>{isOn ? 'On' : 'Off'}</Badge>;
}

/** So few are left that the reader should have new ones. */
const fewCodes = 3;

function Choices({ state, onOpen }: { state: SecondFactor; onOpen: (open: Open) => void }) {
  const { isOn, recoveryCodesLeft: left } = state;
  if (!isOn)
    return (
      <Group justify="space-between" gap="md">
        <Text size="sm" c="dimmed" maw="36rem">
          After your password, a code from an app on your phone. Whoever learns your password cannot sign in
          with it alone.
        </Text>
        <Button variant="default" onClick={() => onOpen('set up')}>
          Set up
        </Button>
      </Group>
    );
  return (
    <Group justify="space-between" gap="md">
      <Text size="sm" c={left < fewCodes ? 'red' : 'dimmed'} maw="36rem">
        {left === 0
          ? 'No recovery code is left: without your phone you could not sign in.'
          : `${left} recovery ${left === 1 ? 'code is' : 'codes are'} left, each for one sign-in without your phone.`}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => onOpen('renew')}>
          New recovery codes
        </Button>
        <Button variant="default" c="red" onClick={() => onOpen('turn off')}>
          Turn off
        </Button>
      </Group>
    </Group>
  );
}
