import { TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { NewPasswordFields } from '#client/components/fields/new-password-fields.tsx';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { AccountForm } from './account-form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { OtherWay } from './other-way.tsx';
import classes from './register-page.module.css';
import { registerInput } from './schemas.ts';

const empty = { firstName: '', lastName: '', email: '', username: '', password: '', confirmPassword: '' };

/** Creates an account and signs in; the route sends on whoever is signed in. */
export function RegisterPage() {
  const { register } = useAuth();
  const [error, setError] = useState<unknown>(null);
  const form = useForm({ initialValues: empty, validate: laterSentences(registerInput) });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      await register(values);
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
    }
  });
  return (
    <AuthLayout
      title="Create your account"
      subtitle="A workspace is waiting for you"
      footer={<OtherWay question="Already have an account?" to="/login" />}
    >
      <AccountForm
        onSubmit={submit}
        isSubmitting={form.submitting}
        error={error}
        fallback="Registration failed"
        submit="Create account"
      >
        <RegisterFields form={form} />
      </AccountForm>
    </AuthLayout>
  );
}

function RegisterFields({ form }: { form: UseFormReturnType<typeof empty> }) {
  return (
    <>
      <div className={classes['names']}>
        <TextInput label="First name" autoComplete="given-name" {...form.getInputProps('firstName')} />
        <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('lastName')} />
      </div>
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
