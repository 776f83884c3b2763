import { Drawer } from '@mantine/core';
import type { Collection } from '#shared/collections.ts';
import type { ChangeCollection } from '../../collection-state.ts';
import type { DocumentsState } from '../documents-state.ts';
import { OpenDocument } from './open-document.tsx';

interface DocumentPanelProps {
  collection: Collection;
  state: Pick<DocumentsState, 'open'>;
  onChange: ChangeCollection;
}

/** The document in the address, beside the list. */
export function DocumentPanel({ collection, state, onChange }: DocumentPanelProps) {
  const { open } = state;
  const close = () => onChange({ open: undefined });
  return (
    <Drawer.Root opened={open !== undefined} onClose={close} position="right" size="40rem" padding="lg">
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content aria-label="Document">
        {open !== undefined && (
          <OpenDocument
            key={open}
            collection={collection}
            id={open}
            onOpen={(id) => onChange({ open: id })}
            onClose={close}
          />
        )}
      </Drawer.Content>
    </Drawer.Root>
  );
}
