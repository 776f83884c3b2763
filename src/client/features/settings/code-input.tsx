import { TextInput, type TextInputProps } from '@mantine/core';

/** For a code that is asked for once more beside the password. */
export function CodeInput(props: TextInputProps) {
  return (
    <TextInput
      label="Code"
      description="Six digits of your authenticator app, or a recovery code"
      required
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      {...props}
    />
  );
}
