import { Modal } from '@mantine/core';
import type { ComponentType } from 'react';
import {
  type DialogForms,
  type DialogName,
  type OpenDialog,
  useDialogs,
} from '#client/components/shell/dialogs-provider.tsx';
import { collectionDialogs } from '#client/features/collections/dialogs.ts';
import { projectDialogs } from '#client/features/projects/dialogs.ts';
import { workspaceDialogs } from '#client/features/workspaces/dialogs.ts';
import { useLast } from '#client/lib/use-last.ts';

const dialogs: DialogForms = { ...workspaceDialogs, ...projectDialogs, ...collectionDialogs };

/** The features' dialogs, of which one at a time is open. */
export function ConsoleDialogs() {
  const { opened, close } = useDialogs();
  const shown = useLast(opened);
  const { title, size = 'md' } = shown ? dialogs[shown.name] : {};
  return (
    <Modal opened={opened !== null} onClose={close} title={title} size={size}>
      {shown && <Shown key={shown.key} dialog={shown} onClose={close} />}
    </Modal>
  );
}

function Shown<Name extends DialogName>(props: { dialog: OpenDialog<Name>; onClose: () => void }) {
  const { name, given } = props.dialog;
  return contentOf(dialogs[name].Form, { ...given, onClose: props.onClose });
}

function contentOf<Props extends object>(Form: ComponentType<Props>, props: Props) {
  return <Form {...props} />;
}
