import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { formatNumber } from '#client/lib/format.ts';
import type { Askable } from './choose-collections.ts';
import classes from './composer.module.css';

type PickerButtonProps = ButtonProps &
  Omit<ComponentProps<'button'>, keyof ButtonProps> & { askable: Askable };

/** Says which collections are asked. */
export function PickerButton({ askable, ...button }: PickerButtonProps) {
  const label = labelOf(askable);
  return (
    <Button
      size="xs"
      variant="default"
      className={classes['picker'] ?? ''}
      aria-label={`Collections to ask: ${label}`}
      leftSection={<Icon shape={stack2Icon} size={16} />}
      {...button}
    >
      {label}
    </Button>
  );
}

function labelOf({ chosen, inProject }: Askable): string {
  const [first, ...others] = chosen;
  if (!first) return 'No collection';
  if (others.length === 0) return first.name;
  const all = chosen.length === inProject.length ? 'All ' : '';
  return `${all}${formatNumber(chosen.length)} collections`;
}
