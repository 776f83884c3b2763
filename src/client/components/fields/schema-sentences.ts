import { type FormErrors, schemaResolver } from '@mantine/form';
import { fieldSentence } from '#client/lib/field-sentence.ts';

type Schema = Parameters<typeof schemaResolver>[0];

/** A form's `validate`: what a schema says of the values, at each field, in whole sentences. */
export function schemaSentences(schema: Schema): (values: unknown) => FormErrors {
  const resolve = schemaResolver(schema, { sync: true });
  return (values) =>
    Object.fromEntries(
      Object.entries(resolve(values)).map(([path, message]) => [path, fieldSentence(path, String(message))]),
    );
}

/**
 * The same with a schema that is fetched once the page is there, since the language of schemas weighs more than the page. Without it (no
 * network, an update meanwhile) the form is sent as it is: the server checks it by the same schema.
 */
export function laterSentences(fetchSchema: () => Promise<Schema>): (values: unknown) => Promise<FormErrors> {
  return async (values) => {
    const schema = await fetchSchema().catch(() => null);
    return schema === null ? {} : schemaSentences(schema)(values);
  };
}
