import { Anchor, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState } from 'react';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { failureOf, isUnauthorized } from '#client/lib/error-message.ts';
import { AccountForm } from './account-form.tsx';
import classes from './code-step.module.css';

export const codeKinds = {
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

export type CodeKind = keyof typeof codeKinds;

interface CodeFormProps {
  by: CodeKind;
  onOther: (by: CodeKind) => void;
  /** `why` is what the server said, where it asks for the password again. */
  onStartOver: (why: unknown) => void;
}

/** The code of the app, or one of those that were kept for when the app is away. */
export function CodeForm({ by, onOther, onStartOver }: CodeFormProps) {
  return (
    <Stack gap="sm">
      <CodeFields key={by} by={by} onStartOver={onStartOver} />
      <Anchor
        component="button"
        type="button"
        size="sm"
        ta="center"
        onClick={() => onOther(by === 'app' ? 'recovery' : 'app')}
      >
        {codeKinds[by].other}
      </Anchor>
    </Stack>
  );
}

function CodeFields({ by, onStartOver }: Omit<CodeFormProps, 'onOther'>) {
  const { label, description, check } = codeKinds[by];
  const { className, ...field } = codeKinds[by].field;
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
