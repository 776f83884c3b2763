import { PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { AccountForm } from './account-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { CodeStep } from './code-step.tsx';
import { KnownEmailField } from './known-email-field.tsx';
import { OtherWay } from './other-way.tsx';
import { loginInput } from './schemas.ts';

/** Signs in; the route sends on whoever is signed in. */
export function LoginPage() {
  const { login } = useAuth();
  const [error, setError] = useState<unknown>(null);
  const [isCodeAwaited, setIsCodeAwaited] = useState(false);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: laterSentences(loginInput),
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      setIsCodeAwaited((await login(values)) === 'code awaited');
    } catch (refused) {
      setError(refused);
    }
  });
  const startOver = (why: unknown) => {
    form.setFieldValue('password', '');
    setError(why);
    setIsCodeAwaited(false);
  };
  if (isCodeAwaited) return <CodeStep onStartOver={startOver} />;
  return (
    <AuthLayout
      title="Welcome back"
      subtitle="Sign in to your account to continue"
      footer={<OtherWay question="Don't have an account?" to="/register" />}
    >
      <Stack>
        <AccountForm
          onSubmit={submit}
          isSubmitting={form.submitting}
          error={error}
          fallback="Login failed"
          submit="Sign In"
        >
          <KnownEmailField form={form} />
          <PasswordInput
            label="Password"
            required
            withAsterisk={false}
            autoComplete="current-password"
            visibilityToggleButtonProps={passwordToggle}
            {...form.getInputProps('password')}
          />
        </AccountForm>
        <ForgottenPassword />
      </Stack>
    </AuthLayout>
  );
}

/** Where mail is sent, the way to a link; elsewhere, who has one. */
function ForgottenPassword() {
  const { data: options } = trpc.auth.signInOptions.useQuery();
  if (!options) return null;
  return (
    <Text size="sm" c="dimmed" ta="center">
      {options.sendsMail ? (
        <AnchorLink to="/forgot-password" underline="always">
          Forgot your password?
        </AnchorLink>
      ) : (
        'Forgot your password? Whoever runs this server can give you a link that sets a new one.'
      )}
    </Text>
  );
}
