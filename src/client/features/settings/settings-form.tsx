import { Button, Group, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { FormFailure } from '#client/components/fields/form-failure.tsx';
import classes from './settings-form.module.css';

interface SettingsFormProps {
  submitLabel: string;
  isPending: boolean;
  /** False: there is nothing to send. */
  isReady: boolean;
  /** What the server refused; null: nothing, or it stands at the fields. */
  error: unknown;
  fallback: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** A form of a panel, as wide as its lines are read well. */
export function SettingsForm({ children, error, ...props }: SettingsFormProps) {
  return (
    <form onSubmit={props.onSubmit} noValidate className={classes['form']}>
      <Stack>
        {error !== null && <FormFailure error={error} fallback={props.fallback} />}
        {children}
        <Group>
          <Button type="submit" loading={props.isPending} disabled={!props.isReady}>
            {props.submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
