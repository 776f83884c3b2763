import { Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';

interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  /** The reader types this (a name) before the button works. */
  textToType?: string | undefined;
  isPending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something that cannot be undone. The parent closes it when the deed is done. */
export function ConfirmDialog({ opened, title, onClose, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <ConfirmForm {...rest} onClose={onClose} />
    </Dialog>
  );
}

/** Apart from the modal, so that what was typed is gone when it closes. */
function ConfirmForm(props: Omit<ConfirmDialogProps, 'opened' | 'title'>) {
  const [typed, setTyped] = useState('');
  const isConfirmed = props.textToType === undefined || typed === props.textToType;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) props.onConfirm();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm" component="div">
          {props.children}
        </Text>
        {props.textToType !== undefined && (
          <TextInput
            label={
              <>
                Type <Code>{props.textToType}</Code> to confirm
              </>
            }
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!isConfirmed} loading={props.isPending ?? false}>
            {props.confirmLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
