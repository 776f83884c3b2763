import { Badge, Code, Group, Progress, Table, Text } from '@mantine/core';
import { listDetailsIcon } from '#client/components/display/icon-shapes.gen.ts';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { DeclaredField } from '#shared/collections.ts';
import type { CollectionTabProps } from '../tab-props.ts';
import classes from './schema-tab.module.css';

/** What the documents have: each field with its types, what was declared of it, and how many of the documents bear it. */
export function SchemaTab({ collection }: CollectionTabProps) {
  const fields = trpc.collections.fields.useQuery({ collection: collection.id });
  if (fields.isError)
    return <ErrorView error={fields.error} title="Failed to fetch fields" onRetry={fields.refetch} />;
  if (!fields.data) return <TableSkeleton />;
  if (fields.data.length === 0)
    return (
      <EmptyState
        icon={listDetailsIcon}
        title="No fields yet"
        description="Fields and their types are read off the documents as they come in; none has to be declared."
      />
    );
  const declared = new Map(collection.metadata?.fields?.map((field) => [field.name, field]));
  return (
    <TablePanel
      minWidth={640}
      head={
        <>
          <Table.Th>Field</Table.Th>
          <Table.Th>Types</Table.Th>
          <Table.Th>Declared</Table.Th>
          <Table.Th>In documents</Table.Th>
        </>
      }
    >
      {fields.data.map((field) => (
        <FieldRow
          key={field.path}
          field={field}
          declared={declared.get(field.path)}
          outOf={collection.documentCount}
        />
      ))}
    </TablePanel>
  );
}

interface FieldRowProps {
  field: { path: string; types: string[]; documentCount: number };
  declared: DeclaredField | undefined;
  outOf: number;
}

function FieldRow({ field, declared, outOf }: FieldRowProps) {
  const { path, types, documentCount } = field;
  // The count of a moment later may be the larger one.
  const share = outOf === 0 ? 0 : Math.min(1, documentCount / outOf);
  return (
    <Table.Tr>
      <Table.Td className={cells['name'] ?? ''}>
        <Code>{path}</Code>
        <Text size="xs" c="dimmed" dir="auto">
          {fieldLabel(path)}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={4}>
          {types.map((type) => (
            <Badge key={type} variant="light" color={type === types[0] ? 'blue' : 'gray'}>
              {type}
            </Badge>
          ))}
        </Group>
      </Table.Td>
      <Table.Td>
        {declared ? (
          <Text size="sm">
            {declared.type}
            {declared.required && ', required'}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">
            inferred
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <div className={classes['share']}>
          <Progress value={share * 100} size="sm" aria-hidden="true" className={classes['bar'] ?? ''} />
          <Text size="sm">
            {formatNumber(documentCount)}
            <Text span c="dimmed" size="xs">
              {' '}
              {Math.round(share * 100)} %
            </Text>
          </Text>
        </div>
      </Table.Td>
    </Table.Tr>
  );
}
