import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { loginInput } from '#shared/accounts.ts';
import { AuthLayout } from './auth-layout.tsx';
import { CodeStep } from './code-step.tsx';
import { passwordToggle } from './password-toggle.ts';

/** Signs in; the route sends on whoever is signed in. */
export function LoginPage() {
  const { login } = useAuth();
  const [error, setError] = useState<unknown>(null);
  const [isCodeAwaited, setIsCodeAwaited] = useState(false);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: schemaResolver(loginInput, { sync: true }),
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
    <AuthLayout title="Welcome back" subtitle="Sign in to your account to continue" footer={<ToRegister />}>
      <form onSubmit={submit} noValidate>
        <Stack>
          {error !== null && <FormFailure error={error} fallback="Login failed" />}
          <TextInput
            label="Email"
            type="email"
            required
            withAsterisk={false}
            autoComplete="username"
            inputMode="email"
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            required
            withAsterisk={false}
            autoComplete="current-password"
            visibilityToggleButtonProps={passwordToggle}
            {...form.getInputProps('password')}
          />
          <Button type="submit" size="md" fullWidth loading={form.submitting}>
            Sign In
          </Button>
          <ForgottenPassword />
        </Stack>
      </form>
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

function ToRegister() {
  return (
    <>
      Don't have an account?{' '}
      <AnchorLink to="/register" underline="always">
        Sign up
      </AnchorLink>
    </>
  );
}
