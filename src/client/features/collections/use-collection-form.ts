import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form';
import { z } from 'zod';
import type { RouterInputs } from '#client/lib/trpc.ts';
import { collectionCreate, type DeclaredField } from '#shared/collections.ts';
import type { Metric } from '#shared/limits.ts';

const schema = collectionCreate.extend({ projectId: z.number('Please select a project') });

export interface CollectionValues {
  name: string;
  description: string;
  projectId: number | null;
  dimension: number;
  metric: Metric;
  metadata: { fields: DeclaredField[] };
}

export type CollectionForm = UseFormReturnType<CollectionValues>;

/** A new collection, in this project to begin with. */
export function useCollectionForm(projectId: number | null): CollectionForm {
  return useForm<CollectionValues>({
    initialValues: {
      name: '',
      description: '',
      projectId,
      dimension: 768,
      metric: 'cosine',
      metadata: { fields: [] },
    },
    validate: schemaResolver(schema, { sync: true }),
  });
}

/** What is sent: metadata only if there is at least one field, the description only if there is one. */
export function collectionInput(values: CollectionValues): RouterInputs['collections']['create'] {
  const { name, description, projectId, dimension, metric, metadata } = values;
  return {
    name: name.trim(),
    dimension,
    metric,
    ...(projectId === null ? {} : { projectId }),
    ...(description.trim() ? { description: description.trim() } : {}),
    ...(metadata.fields.length > 0 ? { metadata } : {}),
  };
}
