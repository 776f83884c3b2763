import { Button, type ButtonProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMay } from '#client/lib/workspace-provider.tsx';

interface SaveButtonProps extends Pick<ButtonProps, 'disabled' | 'loading'> {
  /** Absent: it sends the form that it is in. */
  onClick?: () => void;
  children: ReactNode;
}

/** Keeps what was tried. Who may not is told so: trying is for everybody. */
export function SaveButton({ onClick, children, ...look }: SaveButtonProps) {
  const may = useMay();
  if (!may('editor'))
    return (
      <Text size="sm" c="dimmed">
        Only tried: saving takes an editor.
      </Text>
    );
  return (
    <Button {...look} type={onClick ? 'button' : 'submit'} {...(onClick && { onClick })}>
      {children}
    </Button>
  );
}
