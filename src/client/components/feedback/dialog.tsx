import { Modal, type ModalProps } from '@mantine/core';
import { useState } from 'react';

/** A modal with fields. Once something is typed in it, a click beside it closes nothing: Cancel, the cross and Escape do. */
export function Dialog({ children, ...modal }: ModalProps) {
  const [isTyped, setTyped] = useState(false);
  if (isTyped && !modal.opened) setTyped(false);
  return (
    <Modal {...modal} closeOnClickOutside={!isTyped}>
      <div onInput={() => setTyped(true)}>{children}</div>
    </Modal>
  );
}
