import { type UseFormReturnType, useForm } from '@mantine/form';
import { z } from 'zod';
import { schemaSentences } from '#client/components/fields/schema-sentences.ts';
import type { RouterInputs } from '#client/lib/trpc.ts';
import { collectionCreate, type DeclaredField } from '#shared/collections.ts';
import type { Metric } from '#shared/limits.ts';
import { newSettings, type SettingsValues } from './collection-fields.tsx';

const schema = collectionCreate.extend({ projectId: z.number('Please select a project') });

export interface CollectionValues extends SettingsValues {
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
      ...newSettings,
      projectId,
      dimension: 768,
      metric: 'cosine',
      metadata: { fields: [] },
    },
    validate: schemaSentences(schema),
  });
}

/** What is sent: metadata only if there is at least one field. */
export function collectionInput(values: CollectionValues): RouterInputs['collections']['create'] {
  const { projectId, metadata, ...others } = values;
  return {
    ...others,
    ...(projectId === null ? {} : { projectId }),
    ...(metadata.fields.length > 0 ? { metadata } : {}),
  };
}
