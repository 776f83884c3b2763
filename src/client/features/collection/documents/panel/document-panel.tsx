import { Drawer } from '@mantine/core';
import type { Collection } from '#shared/collections.ts';
import type { ChangeCollection } from '../../collection-state.ts';
import type { DocumentsState } from '../documents-state.ts';
import { NewDocument } from './new-document.tsx';
import { OpenDocument } from './open-document.tsx';
import { useUndoableRemoval } from './use-undoable-removal.ts';

interface DocumentPanelProps {
  collection: Collection;
  /** What a new document may have. */
  fields: { path: string; types: string[] }[];
  state: Pick<DocumentsState, 'open' | 'add'>;
  onChange: ChangeCollection;
}

/** The document in the address, or a new one, beside the list. */
export function DocumentPanel({ collection, fields, state, onChange }: DocumentPanelProps) {
  const { open, add } = state;
  const close = () => onChange({ open: undefined, add: false });
  const { remove, isRemoving } = useUndoableRemoval(collection.id, close);
  return (
    <Drawer.Root
      opened={open !== undefined || add}
      onClose={close}
      position="right"
      size="40rem"
      padding="lg"
    >
      <Drawer.Overlay backgroundOpacity={0.15} />
      <Drawer.Content aria-label={open === undefined ? 'New document' : 'Document'}>
        {open !== undefined && (
          <OpenDocument
            key={open}
            collection={collection}
            id={open}
            isRemoving={isRemoving}
            onOpen={(id) => onChange({ open: id })}
            onRemove={remove}
            onClose={close}
          />
        )}
        {open === undefined && add && (
          <NewDocument
            collection={collection}
            fields={fields}
            onSaved={(id) => onChange({ open: id, add: false })}
            onCancel={close}
          />
        )}
      </Drawer.Content>
    </Drawer.Root>
  );
}
