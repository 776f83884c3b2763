import { Modal } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { PaletteList } from './palette-list.tsx';

interface PaletteProps {
  opened: boolean;
  onClose: () => void;
}

/** Everything by name: pages, actions, the workspace's things and the best documents. */
export function Palette({ opened, onClose }: PaletteProps) {
  const before = useRef<Element | null>(null);
  useEffect(() => {
    if (opened) before.current = document.activeElement;
  }, [opened]);
  const dismiss = () => {
    onClose();
    // After the modal has let go of the focus; what was chosen takes it itself.
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  return (
    <Modal.Root
      opened={opened}
      onClose={dismiss}
      returnFocus={false}
      centered={false}
      yOffset="12dvh"
      padding={0}
      size="40rem"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Search everything">
        <PaletteList onChosen={onClose} />
      </Modal.Content>
    </Modal.Root>
  );
}
