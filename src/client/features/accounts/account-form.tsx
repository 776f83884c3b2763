import { Button, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { FormFailure } from '#client/components/fields/form-failure.tsx';

/** Why the server refused, the fields, and the button that sends them. */
export function AccountForm(props: {
  onSubmit: FormEventHandler<HTMLFormElement>;
  isSubmitting: boolean;
  /** Null: nothing was refused. */
  error: unknown;
  /** What is said of an error without words. */
  fallback: string;
  submit: string;
  children: ReactNode;
}) {
  const { onSubmit, isSubmitting, error, fallback, submit, children } = props;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        {error !== null && <FormFailure error={error} fallback={fallback} />}
        {children}
        <Button type="submit" size="md" fullWidth loading={isSubmitting}>
          {submit}
        </Button>
      </Stack>
    </form>
  );
}
