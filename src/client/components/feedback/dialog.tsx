import type { ModalProps } from '@mantine/core';
import { Suspense, useState } from 'react';
import { laterPart } from '#client/lib/lazy-part.ts';

const Modal = laterPart(async () => ({ default: (await import('../later/overlays.ts')).overlays.Modal }));

/** A modal with fields. Once something is typed in it, a click beside it closes nothing: Cancel, the cross and Escape do. */
export function Dialog({ children, ...modal }: ModalProps) {
  const [isTyped, setTyped] = useState(false);
  if (isTyped && !modal.opened) setTyped(false);
  return (
    <Suspense>
      <Modal {...modal} closeOnClickOutside={!isTyped}>
        <div onInput={() => setTyped(true)}>{children}</div>
      </Modal>
    </Suspense>
  );
}
