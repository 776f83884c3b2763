import { PasswordInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { limits } from '#shared/limits.ts';
import { passwordToggle } from './password-toggle.ts';

interface NewPasswordFieldsProps {
  label: string;
  form: Pick<UseFormReturnType<{ password: string; confirmPassword: string }>, 'getInputProps'>;
}

/** A password that is chosen, and once more. */
export function NewPasswordFields({ label, form }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordInput
        label={label}
        description={`At least ${limits.passwordCharactersMin} characters`}
        required
        autoComplete="new-password"
        visibilityToggleButtonProps={passwordToggle}
        {...form.getInputProps('password')}
      />
      <PasswordInput
        label="Confirm password"
        required
        autoComplete="new-password"
        visibilityToggleButtonProps={passwordToggle}
        {...form.getInputProps('confirmPassword')}
      />
    </>
  );
}
