import { Alert } from '@mantine/core';
import { failureOf } from '#client/lib/error-message.ts';
import { fieldSentence } from '#client/lib/field-sentence.ts';
import { Icon } from '../display/icon.tsx';
import { alertTriangleIcon } from '../display/icon-shapes.gen.ts';

/** Why the server refused, above the form; a throttle says when to try again. */
export function FormFailure({ error, fallback }: { error: unknown; fallback?: string | undefined }) {
  const { message: said, details, retryAfterSeconds } = failureOf(error, fallback);
  // "name: must be shorter" is the API's way to say where; to a person it is a sentence.
  const isOfFields = details.length > 0 && said.startsWith(`${details[0]?.path}: `);
  const message = isOfFields
    ? details.map(({ path, message: fault }) => fieldSentence(path, fault)).join(' ')
    : said;
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
