import { type UseFormReturnType, useForm } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import type { RouterInputs } from '#client/lib/trpc.ts';
import { collectionMetadata, type FieldType } from '#shared/collections.ts';
import { description as descriptionRule, name as nameRule } from '#shared/fields.ts';
import type { Metric } from '#shared/limits.ts';

/** A row of the custom fields; `key` keeps its inputs apart while rows come and go. */
export interface FieldRow {
  key: string;
  name: string;
  type: FieldType;
  required: boolean;
}

export interface CollectionValues {
  name: string;
  description: string;
  projectId: string | null;
  dimension: string;
  metric: Metric;
  fields: FieldRow[];
}

export type CollectionForm = UseFormReturnType<CollectionValues>;

export function newFieldRow(): FieldRow {
  return { key: randomId(), name: '', type: 'string', required: false };
}

export function useCollectionForm(projectId: string | null): CollectionForm {
  return useForm<CollectionValues>({
    initialValues: { name: '', description: '', projectId, dimension: '768', metric: 'cosine', fields: [] },
    validate: {
      name: (value) => nameRule.safeParse(value).error?.issues[0]?.message ?? null,
      description: (value) => descriptionRule.safeParse(value).error?.issues[0]?.message ?? null,
      projectId: (value) => (value ? null : 'Please select a project'),
      fields: {
        name: (value, values, path) => fieldNameFault(value, values.fields, Number(path.split('.')[1])),
      },
    },
  });
}

function fieldNameFault(name: string, rows: FieldRow[], index: number): string | null {
  const result = collectionMetadata.shape.fields.safeParse([{ name, type: 'string' }]);
  const fault = result.error?.issues[0]?.message;
  if (fault) return fault;
  const isTaken = rows.some((row, other) => other < index && row.name.trim() === name.trim());
  return isTaken ? 'field names must differ' : null;
}

/** What is sent: metadata only if there is at least one field, the description only if there is one. */
export function collectionInput(values: CollectionValues): RouterInputs['collections']['create'] {
  const { name, description, projectId, dimension, metric, fields } = values;
  return {
    name: name.trim(),
    dimension: Number(dimension),
    metric,
    ...(projectId ? { projectId: Number(projectId) } : {}),
    ...(description.trim() ? { description: description.trim() } : {}),
    ...(fields.length > 0
      ? {
          metadata: {
            fields: fields.map((field) => ({
              name: field.name.trim(),
              type: field.type,
              required: field.required,
            })),
          },
        }
      : {}),
  };
}
