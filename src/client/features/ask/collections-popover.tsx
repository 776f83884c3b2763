import { Popover } from '@mantine/core';
import type { ChangeAsk } from './ask-state.ts';
import type { Askable } from './choose-collections.ts';
import { CollectionsChoice } from './collections-choice.tsx';
import { PickerButton } from './picker-button.tsx';

export interface CollectionsPopoverProps {
  askable: Askable;
  isProjectFixed: boolean;
  isDisabled: boolean;
  onChange: ChangeAsk;
}

export function CollectionsPopover({
  askable,
  isProjectFixed,
  isDisabled,
  onChange,
}: CollectionsPopoverProps) {
  return (
    <Popover position="top-start" shadow="md" trapFocus width="min(20rem, calc(100vw - 2rem))">
      <Popover.Target>
        <PickerButton askable={askable} disabled={isDisabled} />
      </Popover.Target>
      <Popover.Dropdown>
        <CollectionsChoice askable={askable} isProjectFixed={isProjectFixed} onChange={onChange} />
      </Popover.Dropdown>
    </Popover>
  );
}
