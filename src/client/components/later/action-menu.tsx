import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { Suspense } from 'react';
import { laterPart } from '#client/lib/lazy-part.ts';
import { Icon } from '../display/icon.tsx';
import { dotsIcon } from '../display/icon-shapes.gen.ts';
import type { Action } from './action-list.tsx';

const ActionList = laterPart(async () => ({ default: (await import('./action-list.tsx')).ActionList }));

interface ActionMenuProps extends Pick<ActionIconProps, 'variant' | 'size'> {
  /** What the button is called: "Actions for films". */
  label: string;
  actions: Action[];
}

/** Three dots and what can be done. */
export function ActionMenu({ label, actions, ...look }: ActionMenuProps) {
  const button = (
    <ActionIcon {...look} aria-label={label}>
      <Icon shape={dotsIcon} />
    </ActionIcon>
  );
  return (
    <Suspense fallback={<NotYet {...look} label={label} />}>
      <ActionList button={button} actions={actions} />
    </Suspense>
  );
}

/** The same to look at. */
function NotYet({ label, ...look }: Omit<ActionMenuProps, 'actions'>) {
  return (
    <ActionIcon {...look} aria-label={label} aria-disabled>
      <Icon shape={dotsIcon} />
    </ActionIcon>
  );
}
