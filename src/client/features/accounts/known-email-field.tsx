import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';

/** The email of an account that is there. */
export function KnownEmailField({
  form,
}: {
  form: Pick<UseFormReturnType<{ email: string }>, 'getInputProps'>;
}) {
  return (
    <TextInput
      label="Email"
      type="email"
      required
      withAsterisk={false}
      autoComplete="username"
      inputMode="email"
      {...form.getInputProps('email')}
    />
  );
}
