import { Textarea, type TextareaProps } from '@mantine/core';

/** A few words about a thing, in as many lines as they need. */
export function DescriptionField(props: TextareaProps) {
  return <Textarea label="Description" autosize minRows={2} maxRows={6} dir="auto" {...props} />;
}
