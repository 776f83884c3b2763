import { Button, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { AnchorLink } from '#client/components/display/links.tsx';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { failureOf } from '#client/lib/error-message.ts';
import { registerInput } from '#shared/accounts.ts';
import { AuthLayout } from './auth-layout.tsx';
import { NewPasswordFields } from './new-password-fields.tsx';

const empty = { firstName: '', lastName: '', email: '', username: '', password: '', confirmPassword: '' };

/** Creates an account and signs in; the route sends on whoever is signed in. */
export function RegisterPage() {
  const { register } = useAuth();
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ initialValues: empty, validate: schemaResolver(registerInput, { sync: true }) });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      await register(values);
    } catch (refused) {
      const known = failureOf(refused).details.filter(({ path }) => path in empty);
      form.setErrors(Object.fromEntries(known.map(({ path, message }) => [path, message])));
      setError(refused);
    }
  });
  return (
    <AuthLayout
      title="Create your account"
      subtitle="A workspace is waiting for you"
      footer={
        <>
          Already have an account?{' '}
          <AnchorLink to="/login" underline="always">
            Sign in
          </AnchorLink>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          {error !== null && <FormFailure error={error} fallback="Registration failed" />}
          <RegisterFields form={form} />
          <Button type="submit" size="md" fullWidth loading={form.submitting}>
            Create account
          </Button>
        </Stack>
      </form>
    </AuthLayout>
  );
}

function RegisterFields({ form }: { form: UseFormReturnType<typeof empty> }) {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('firstName')} />
        <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('lastName')} />
      </SimpleGrid>
      <TextInput
        label="Email"
        type="email"
        required
        autoComplete="email"
        inputMode="email"
        {...form.getInputProps('email')}
      />
      <TextInput
        label="Username"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('username')}
      />
      <NewPasswordFields label="Password" form={form} />
    </>
  );
}
