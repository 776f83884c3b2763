import { PasswordInput, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Dialog } from '#client/components/feedback/dialog.tsx';
import { DialogForm } from '#client/components/fields/dialog-form.tsx';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { failureOf } from '#client/lib/error-message.ts';

interface ConfirmIdentityDialogProps {
  email: string;
  opened: boolean;
  /** Why it is asked. */
  reason: string;
  onConfirmed: () => void;
  onClose: () => void;
}

/** Signs in once more over the page, by the password and, where one is asked for, a code. */
export function ConfirmIdentityDialog({ opened, onClose, ...rest }: ConfirmIdentityDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Confirm that it is you">
      <Steps {...rest} onClose={onClose} />
    </Dialog>
  );
}

/** Inside the modal, so that it begins afresh each time. */
function Steps({ email, reason, onConfirmed, onClose }: Omit<ConfirmIdentityDialogProps, 'opened'>) {
  const { login, sendCode } = useAuth();
  const [isCodeAwaited, setCodeAwaited] = useState(false);
  const [shown, setShown] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || shown === '') return;
    setError(null);
    setSending(true);
    try {
      const isIn = isCodeAwaited
        ? await sendCode(shown).then(() => true)
        : (await login({ email, password: shown })) === 'signed in';
      if (isIn) return onConfirmed();
      setCodeAwaited(true);
      setShown('');
    } catch (refused) {
      setError(refused);
      // Of a code that is not right another may be tried; anything else begins with the password.
      const isOfCode = failureOf(refused).details.some(({ path }) => path === 'code');
      if (isCodeAwaited && !isOfCode) setCodeAwaited(false);
      setShown('');
    } finally {
      setSending(false);
    }
  };
  return (
    <DialogForm
      submitLabel="Confirm"
      isPending={isSending}
      isReady={shown !== ''}
      error={error}
      fallback="Login failed"
      onSubmit={submit}
      onCancel={onClose}
    >
      <Text size="sm" c="dimmed">
        {reason}
      </Text>
      {isCodeAwaited ? (
        <CodeField value={shown} onChange={setShown} />
      ) : (
        <>
          {/* Tells a password manager whose password it is. */}
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label="Your password"
            required
            data-autofocus
            autoComplete="current-password"
            visibilityToggleButtonProps={passwordToggle}
            value={shown}
            onChange={(event) => setShown(event.currentTarget.value)}
          />
        </>
      )}
    </DialogForm>
  );
}

/** Takes the focus when it comes: whoever has typed the password goes on typing. */
function CodeField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <TextInput
      ref={input}
      label="Code"
      description="Six digits of your authenticator app, or a recovery code"
      required
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
