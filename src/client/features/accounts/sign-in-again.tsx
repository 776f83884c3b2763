import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { AccountForm } from './account-form.tsx';
import { CodeForm, type CodeKind, codeKinds } from './code-form.tsx';

/** Over the page whose session has ended: what is typed there stays, and what was sent is sent again. */
export function SignInAgain() {
  const { user, isLapsed } = useAuth();
  const isOpen = isLapsed && user !== null;
  return (
    <Modal
      opened={isOpen}
      // There is nothing to close it for: the page below waits. "Leave" is the other way out.
      onClose={() => {}}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title="Your session has ended"
      zIndex={300}
    >
      {isOpen && <Ways email={user.email} />}
    </Modal>
  );
}

function Ways({ email }: { email: string }) {
  const { giveUp } = useAuth();
  const [by, setBy] = useState<CodeKind | null>(null);
  const [error, setError] = useState<unknown>(null);
  const startOver = (why: unknown) => {
    setError(why);
    setBy(null);
  };
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {by === null
          ? 'Sign in to go on. Nothing on this page is lost, and what was not sent yet is sent then.'
          : codeKinds[by].subtitle}
      </Text>
      {by === null ? (
        <PasswordForm email={email} initialError={error} onCodeAwaited={() => setBy('app')} />
      ) : (
        <CodeForm by={by} onOther={setBy} onStartOver={startOver} />
      )}
      <Button variant="subtle" color="gray" onClick={giveUp}>
        Leave without signing in
      </Button>
    </Stack>
  );
}

interface PasswordFormProps {
  email: string;
  initialError: unknown;
  onCodeAwaited: () => void;
}

function PasswordForm({ email, initialError, onCodeAwaited }: PasswordFormProps) {
  const { login } = useAuth();
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(initialError);
  const [isSending, setSending] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isSending || password === '') return;
    setError(null);
    setSending(true);
    try {
      if ((await login({ email, password })) === 'code awaited') onCodeAwaited();
    } catch (refused) {
      setError(refused);
    } finally {
      setSending(false);
    }
  };
  return (
    <AccountForm
      onSubmit={submit}
      isSubmitting={isSending}
      error={error}
      fallback="Login failed"
      submit="Sign In"
    >
      <TextInput label="Email" type="email" autoComplete="username" value={email} readOnly />
      <PasswordInput
        label="Password"
        required
        withAsterisk={false}
        autoComplete="current-password"
        data-autofocus
        visibilityToggleButtonProps={passwordToggle}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
    </AccountForm>
  );
}
