import type { UseFormReturnType } from '@mantine/form';
import { failureOf } from '#client/lib/error-message.ts';
import { fieldSentence } from '#client/lib/field-sentence.ts';

/**
 * What the server says of a form's fields stands at them, and the first of them has the focus.
 * @returns whether that was all it said: what stands at a field is not said once more
 */
export function showFieldErrors<T extends Record<string, unknown>>(
  form: Pick<UseFormReturnType<T>, 'setErrors' | 'getValues' | 'getInputNode'>,
  refused: unknown,
): boolean {
  const values = form.getValues();
  const { details } = failureOf(refused);
  const known = details.filter(({ path }) => path in values);
  form.setErrors(Object.fromEntries(known.map(({ path, message }) => [path, fieldSentence(path, message)])));
  const [first] = known;
  if (first) form.getInputNode(first.path)?.focus();
  return known.length > 0 && known.length === details.length;
}
