import { PasswordInput, SimpleGrid, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { Panel } from '#client/components/display/panel.tsx';
import { passwordToggle } from '#client/components/fields/password-toggle.ts';
import { laterSentences } from '#client/components/fields/schema-sentences.ts';
import { showFieldErrors } from '#client/components/fields/show-field-errors.ts';
import { toast } from '#client/lib/toast.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { User } from '#shared/accounts.ts';
import { CodeInput } from '../code-input.tsx';
import { SettingsForm } from '../settings-form.tsx';
import { PendingEmailNote } from './pending-email-note.tsx';

type ProfileValues = {
  firstName: string;
  lastName: string;
  username: string;
  email: string;
  /** Asked for where the email is another one. */
  currentPassword: string;
  /** And this, where signing in takes one. */
  code: string;
};

function valuesOf({ firstName, lastName, username, email }: User): ProfileValues {
  return {
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    username,
    email,
    currentPassword: '',
    code: '',
  };
}

/** What is sent, and what the schema checks: the email with what it takes, or neither. */
function changesOf({ email, currentPassword, code, ...names }: ProfileValues, user: User) {
  if (email.trim() === user.email) return names;
  return { ...names, email, currentPassword, ...(code !== '' && { code }) };
}

export function ProfilePanel({ user }: { user: User }) {
  const utils = trpc.useUtils();
  const update = trpc.account.update.useMutation({ meta: { changes: 'account' } });
  const [error, setError] = useState<unknown>(null);
  const form = useForm<ProfileValues>({
    initialValues: valuesOf(user),
    validate: (values) =>
      laterSentences(async () => (await import('#shared/accounts.ts')).profileUpdate)(
        changesOf(values, user),
      ),
  });
  const submit = form.onSubmit(async (values) => {
    setError(null);
    try {
      const { user: updated, pendingEmail } = await update.mutateAsync(changesOf(values, user));
      await utils.auth.me.cancel();
      utils.auth.me.setData(undefined, { user: updated });
      form.setInitialValues(valuesOf(updated));
      form.setValues(valuesOf(updated));
      toast({
        title: 'Profile updated',
        description: pendingEmail
          ? 'Your email changes once you open the link that was sent there.'
          : 'Your profile has been successfully updated.',
      });
    } catch (refused) {
      if (!showFieldErrors(form, refused)) setError(refused);
    }
  });
  return (
    <Panel title="Profile">
      <SettingsForm
        submitLabel="Update Profile"
        isPending={form.submitting}
        isReady={form.isDirty()}
        error={error}
        fallback="Your profile was not updated"
        onSubmit={submit}
      >
        <ProfileFields form={form} user={user} />
      </SettingsForm>
    </Panel>
  );
}

function ProfileFields({ form, user }: { form: UseFormReturnType<ProfileValues>; user: User }) {
  const isMoving = form.values.email.trim() !== user.email;
  const factor = trpc.secondFactor.get.useQuery(undefined, { enabled: isMoving });
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          label="First Name"
          autoComplete="given-name"
          dir="auto"
          {...form.getInputProps('firstName')}
        />
        <TextInput
          label="Last Name"
          autoComplete="family-name"
          dir="auto"
          {...form.getInputProps('lastName')}
        />
      </SimpleGrid>
      <TextInput
        label="Username"
        required
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('username')}
      />
      <TextInput
        label="Email Address"
        type="email"
        required
        autoComplete="email"
        inputMode="email"
        {...form.getInputProps('email')}
      />
      {isMoving && (
        <PasswordInput
          label="Current Password"
          description="Another email takes your password."
          required
          autoComplete="current-password"
          visibilityToggleButtonProps={passwordToggle}
          {...form.getInputProps('currentPassword')}
        />
      )}
      {isMoving && factor.data?.isOn && <CodeInput {...form.getInputProps('code')} />}
      <PendingEmailNote email={user.email} />
    </>
  );
}
