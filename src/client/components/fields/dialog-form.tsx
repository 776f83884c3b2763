import { Alert, Button, Group, Stack } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { Icon } from '../display/icon.tsx';
import { alertTriangleIcon } from '../display/icon-shapes.gen.ts';
import { FormFailure } from './form-failure.tsx';

interface DialogFormProps {
  submitLabel: string;
  isPending: boolean;
  /** False: there is nothing to submit yet. */
  isReady?: boolean;
  /** Something other than the fields stands in the way. */
  obstacle?: string | null;
  /** What the server refused. */
  error: unknown;
  /** Said where the error has no words. */
  fallback?: string;
  onSubmit: FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  children: ReactNode;
}

/** A form in a dialog: what stands in its way above the fields, Cancel and the deed below. */
export function DialogForm({ obstacle = null, error, isReady = true, ...props }: DialogFormProps) {
  return (
    <form onSubmit={props.onSubmit} noValidate>
      <Stack>
        {error ? (
          <FormFailure error={error} fallback={props.fallback} />
        ) : (
          obstacle && (
            <Alert color="yellow" icon={<Icon shape={alertTriangleIcon} />} role="alert">
              {obstacle}
            </Alert>
          )
        )}
        {props.children}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={props.onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={props.isPending} disabled={!isReady || obstacle !== null}>
            {props.submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
