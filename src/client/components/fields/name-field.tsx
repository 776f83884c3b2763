import { TextInput, type TextInputProps } from '@mantine/core';

/** What a thing is called: the first field of its form, which takes the focus. */
export function NameField(props: TextInputProps) {
  return <TextInput label="Name" required data-autofocus autoComplete="off" dir="auto" {...props} />;
}
