import { Alert } from '@mantine/core';
import { failureOf } from '#client/lib/error-message.ts';
import { Icon } from '../display/icon.tsx';
import { alertTriangleIcon } from '../display/icon-shapes.gen.ts';

/** Why the server refused, above the form; a throttle says when to try again. */
export function FormFailure({ error, fallback }: { error: unknown; fallback?: string | undefined }) {
  const { message, retryAfterSeconds } = failureOf(error, fallback);
  return (
    <Alert color="red" icon={<Icon shape={alertTriangleIcon} />} role="alert">
      {message}
      {retryAfterSeconds !== undefined && ` Try again in ${waitingTime(retryAfterSeconds)}.`}
    </Alert>
  );
}

function waitingTime(seconds: number): string {
  if (seconds < 90) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
