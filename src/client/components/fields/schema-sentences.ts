import { schemaResolver } from '@mantine/form';
import { fieldSentence } from '#client/lib/field-sentence.ts';

/** A form's `validate`: what a schema says of the values, at each field, in whole sentences. */
export function schemaSentences(schema: Parameters<typeof schemaResolver>[0]) {
  const resolve = schemaResolver(schema, { sync: true });
  return (values: unknown) =>
    Object.fromEntries(
      Object.entries(resolve(values)).map(([path, message]) => [path, fieldSentence(path, String(message))]),
    );
}
