import { Suspense } from 'react';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { CollectionsPopoverProps } from './collections-popover.tsx';
import { PickerButton } from './picker-button.tsx';

const CollectionsPopover = lazyPart(async () => ({
  default: (await import('./collections-popover.tsx')).CollectionsPopover,
}));

/** Which collections of one project are asked. */
export function CollectionsPicker(props: CollectionsPopoverProps) {
  return (
    <Suspense fallback={<PickerButton askable={props.askable} aria-disabled />}>
      <CollectionsPopover {...props} />
    </Suspense>
  );
}
