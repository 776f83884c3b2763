import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { loginInput } from '#shared/accounts.ts';
import { AuthLayout } from './auth-layout.tsx';
import { passwordToggle } from './password-toggle.ts';

/** Signs in; the route sends on whoever is signed in. */
export function LoginPage() {
  const { login } = useAuth();
  const [error, setError] = useState<unknown>(null);
  const form = useForm({
    initialValues: { email: '', password: '' },
    validate: schemaResolver(loginInput, { sync: true }),
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    await login(values).catch(setError);
  });
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
        </Stack>
      </form>
    </AuthLayout>
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
