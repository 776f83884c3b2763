import { useState } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import type { SecondFactorStart } from '#shared/second-factor.ts';
import { ConfirmAppStep } from './confirm-app-step.tsx';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodesStep } from './recovery-codes-step.tsx';

interface SetUpDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** The password, the app, the recovery codes. What is shown only once is not closed by accident. */
export function SetUpDialog({ opened, onClose }: SetUpDialogProps) {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Set up two-step sign-in"
      closeOnEscape={codes === null}
      withCloseButton={codes === null}
      onExitTransitionEnd={() => setCodes(null)}
    >
      {codes ? (
        <RecoveryCodesStep codes={codes} onDone={onClose} />
      ) : (
        <Steps onCodes={setCodes} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Inside the modal, so that it begins afresh each time. */
function Steps({ onCodes, onClose }: { onCodes: (codes: string[]) => void; onClose: () => void }) {
  const [started, setStarted] = useState<SecondFactorStart | null>(null);
  if (!started) return <PasswordStep onStarted={setStarted} onCancel={onClose} />;
  return <ConfirmAppStep started={started} onConfirmed={onCodes} onCancel={onClose} />;
}
