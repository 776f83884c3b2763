import { Button } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { messagesIcon } from '#client/components/display/icon-shapes.gen.ts';

/** Where the conversations have no room beside the open one. */
export function ListButton(button: Pick<ComponentProps<'button'>, 'onClick' | 'aria-disabled'>) {
  return (
    <Button variant="default" size="xs" px="xs" aria-label="Conversations" {...button}>
      <Icon shape={messagesIcon} size={18} />
    </Button>
  );
}
