import type { UseFormReturnType } from '@mantine/form';
import { failureOf } from '#client/lib/error-message.ts';

/** What the server says of a form's fields stands at them. */
export function showFieldErrors<T extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<T>, 'setErrors' | 'getValues'>,
  refused: unknown,
): void {
  const values = form.getValues();
  const known = failureOf(refused).details.filter(({ path }) => path in values);
  form.setErrors(Object.fromEntries(known.map(({ path, message }) => [path, message])));
}
