import { Anchor, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { failureOf, isUnauthorized } from '#client/lib/error-message.ts';
import { AccountForm } from './account-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import classes from './code-step.module.css';

const kinds = {
  app: {
    subtitle: 'Your authenticator app shows six digits',
    label: 'Code',
    description: 'It changes every 30 seconds',
    other: 'Use a recovery code',
    check: (code: string) => (/^\d{6}$/.test(code.replaceAll(/\s/g, '')) ? null : 'The code is six digits.'),
    field: { className: 'digits', inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 10 },
  },
  recovery: {
    subtitle: 'One of those you kept when you set up the app',
    label: 'Recovery code',
    description: '24 letters and digits; each code works once',
    other: 'Use the code of the app',
    check: (code: string) => (code.trim() === '' ? 'Recovery code is required.' : null),
    field: { className: 'recovery', inputMode: 'text', autoComplete: 'off', maxLength: 64 },
  },
} as const;

interface CodeStepProps {
  /** `why` is what the server said, where it asks for the password again. */
  onStartOver: (why: unknown) => void;
}

/** The second step of signing in, for accounts that ask for a code after the password. */
export function CodeStep({ onStartOver }: CodeStepProps) {
  const [by, setBy] = useState<keyof typeof kinds>('app');
  const { subtitle, other } = kinds[by];
  return (
    <AuthLayout
      title="Enter your code"
      subtitle={subtitle}
      footer={
        <>
          Not your account?{' '}
          <Anchor component="button" type="button" underline="always" onClick={() => onStartOver(null)}>
            Start over
          </Anchor>
        </>
      }
    >
      <Stack gap="sm">
        <CodeForm key={by} by={by} onStartOver={onStartOver} />
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="center"
          onClick={() => setBy(by === 'app' ? 'recovery' : 'app')}
        >
          {other}
        </Anchor>
      </Stack>
    </AuthLayout>
  );
}

function CodeForm({ by, onStartOver }: CodeStepProps & { by: keyof typeof kinds }) {
  const { label, description, check } = kinds[by];
  const { className, ...field } = kinds[by].field;
  const { sendCode } = useAuth();
  const [error, setError] = useState<unknown>(null);
  const input = useRef<HTMLInputElement>(null);
  // Whoever has typed the password goes on typing.
  useEffect(() => input.current?.focus(), []);
  const form = useForm({ initialValues: { code: '' }, validate: { code: check } });
  const submit = form.onSubmit(
    async ({ code }) => {
      setError(null);
      try {
        await sendCode(code);
      } catch (refused) {
        const isWrong = failureOf(refused).details.some(({ path }) => path === 'code');
        if (isUnauthorized(refused) && !isWrong) return onStartOver(refused);
        setError(refused);
        form.setFieldError('code', isWrong);
        input.current?.select();
      }
    },
    () => input.current?.focus(),
  );
  return (
    <AccountForm
      onSubmit={submit}
      isSubmitting={form.submitting}
      error={error}
      fallback="Login failed"
      submit="Sign In"
    >
      <TextInput
        ref={input}
        label={label}
        description={description}
        size="md"
        required
        withAsterisk={false}
        spellCheck={false}
        autoCapitalize="none"
        classNames={{ input: classes[className] ?? '' }}
        {...field}
        {...form.getInputProps('code')}
      />
    </AccountForm>
  );
}
