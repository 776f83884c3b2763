import { Stack } from '@mantine/core';
import { listDetailsIcon } from '#client/components/display/icon-shapes.gen.ts';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { trpc } from '#client/lib/trpc.ts';
import type { CollectionTabProps } from '../tab-props.ts';
import { FieldRow } from './field-row.tsx';
import { inReadingOrder } from './known-field.ts';
import { SchemaFacts } from './schema-facts.tsx';
import { useFieldValues } from './use-field-values.ts';

/** What the documents have: each field with its types, what was declared of it, how many of the documents bear it, and what it holds. */
export function SchemaTab({ collection }: CollectionTabProps) {
  const fields = trpc.collections.fields.useQuery({ collection: collection.id });
  const settings = trpc.searchSettings.get.useQuery({ collection: collection.id });
  const ordered = inReadingOrder(fields.data ?? []);
  const values = useFieldValues(collection.id, collection.isActive ? ordered : []);
  if (fields.isError)
    return <ErrorView error={fields.error} title="Failed to fetch fields" onRetry={fields.refetch} />;
  if (!fields.data) return <TableSkeleton />;
  const declared = new Map(collection.metadata?.fields?.map((field) => [field.name, field]));
  return (
    <Stack gap="md">
      <SchemaFacts collection={collection} language={settings.isError ? 'failed' : settings.data} />
      {ordered.length === 0 && (
        <EmptyState
          icon={listDetailsIcon}
          title="No fields yet"
          description="Fields and their types are read off the documents as they come in; none has to be declared."
        />
      )}
      {ordered.length > 0 && (
        <TablePanel
          minWidth={860}
          head={
            <>
              <th scope="col">Field</th>
              <th scope="col">Types</th>
              <th scope="col">Declared</th>
              <th scope="col">In documents</th>
              <th scope="col">Values</th>
            </>
          }
        >
          {ordered.map((field) => (
            <FieldRow
              key={field.path}
              collection={collection.id}
              field={field}
              declared={declared.get(field.path)}
              outOf={collection.documentCount}
              values={values.get(field.path)}
            />
          ))}
        </TablePanel>
      )}
    </Stack>
  );
}
