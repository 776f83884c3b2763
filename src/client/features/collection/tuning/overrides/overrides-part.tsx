import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { pencilIcon, pinIcon, plusIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Pager } from '#client/components/display/pager.tsx';
import cells from '#client/components/display/table-panel.module.css';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { SearchField } from '#client/components/fields/search-field.tsx';
import { formatDateTime } from '#client/lib/format.ts';
import { pageOf } from '#client/lib/page-of.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { Override } from '#shared/overrides.ts';
import { useOverrides } from '../use-rules.ts';
import type { Tuning } from '../use-tuning.ts';
import { newOverride } from './new-override.ts';
import { OverrideForm } from './override-form.tsx';
import { isGivenName, overrideName } from './override-name.ts';
import { useDeleteOverride } from './use-delete-override.ts';

/** Fewer are seen at a glance. */
const filteredFrom = 8;

interface OverridesPartProps {
  collection: number;
  tuning: Tuning;
  /** The query that is tried. */
  query: string;
  silence: string | null;
}

/** The collection's overrides, and the one that is written. */
export function OverridesPart({ collection, tuning, query, silence }: OverridesPartProps) {
  const overrides = useOverrides(collection);
  const edit = tuning.draft.override;
  if (overrides.isError)
    return (
      <ErrorView error={overrides.error} title="Failed to fetch overrides" onRetry={overrides.refetch} />
    );
  if (!overrides.data) return <TableSkeleton />;
  const add = (
    <Button leftSection={<Icon shape={plusIcon} />} onClick={() => tuning.setOverride(newOverride(query))}>
      Add override
    </Button>
  );
  return (
    <Stack gap="md">
      {edit && (
        <OverrideForm
          key={edit.saved?.id ?? 'new'}
          collection={collection}
          edit={edit}
          onChange={tuning.setOverride}
          taken={overrides.data.map(({ id }) => id)}
          silence={silence}
        />
      )}
      {!edit && overrides.data.length > 0 && <Group>{add}</Group>}
      {overrides.data.length === 0 && !edit && (
        <EmptyState
          icon={pinIcon}
          title="No overrides yet"
          description="For a query of your choice: documents at places of their own, others left out, a filter, another order. Or pin a hit in the preview."
        >
          {add}
        </EmptyState>
      )}
      {overrides.data.length > 0 && (
        <OverrideList
          collection={collection}
          overrides={overrides.data}
          editedId={edit?.saved?.id ?? null}
          onEdit={(saved) => tuning.setOverride({ saved, override: saved })}
        />
      )}
    </Stack>
  );
}

interface OverrideListProps {
  collection: number;
  overrides: Override[];
  editedId: string | null;
  onEdit: (override: Override) => void;
}

function OverrideList({ collection, overrides, editedId, onEdit }: OverrideListProps) {
  const [text, setText] = useState('');
  const [page, setPage] = useState(1);
  const remove = useDeleteOverride(collection);
  const wanted = text.trim().toLowerCase();
  const matching = overrides.filter(({ id, rule }) => `${id} ${rule.query}`.toLowerCase().includes(wanted));
  const { shown, ...pages } = pageOf(matching, page);
  return (
    <Stack gap="sm">
      {overrides.length >= filteredFrom && (
        <SearchField label="Filter overrides" value={text} onChange={setText} />
      )}
      {matching.length === 0 && (
        <Text size="sm" c="dimmed">
          No override has these words.
        </Text>
      )}
      {matching.length > 0 && (
        <TablePanel
          minWidth={320}
          head={
            <>
              <th scope="col">Query</th>
              <th scope="col">What it does</th>
              <th scope="col" aria-label="Actions" />
            </>
          }
        >
          {shown.map((override) => (
            <tr key={override.id}>
              <td className={cells['name']}>
                <Text size="sm" dir="auto">
                  {queryOf(override)}
                </Text>
                {override.id !== override.rule.query && isGivenName(override.id) && (
                  <Text size="xs" c="dimmed" dir="auto">
                    {override.id}
                  </Text>
                )}
              </td>
              <td className={cells['name']}>
                <Text size="sm">{effectsOf(override).join(', ') || 'Nothing yet'}</Text>
                {!override.active && <Badge color="gray">Inactive</Badge>}
                {(override.from || override.until) && (
                  <Text size="xs" c="dimmed">
                    {windowOf(override)}
                  </Text>
                )}
              </td>
              <td>
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  <ActionIcon
                    aria-label={`Edit override ${overrideName(override)}`}
                    onClick={() => onEdit(override)}
                  >
                    <Icon shape={pencilIcon} />
                  </ActionIcon>
                  <May atLeast="editor">
                    <ActionIcon
                      aria-label={`Delete override ${overrideName(override)}`}
                      disabled={override.id === editedId}
                      onClick={() => remove(override)}
                    >
                      <Icon shape={trashIcon} />
                    </ActionIcon>
                  </May>
                </Group>
              </td>
            </tr>
          ))}
        </TablePanel>
      )}
      <Pager {...pages} total={matching.length} noun="overrides" onChange={setPage} />
    </Stack>
  );
}

function queryOf({ rule: { query, match } }: Override): string {
  if (match === 'exact' && query === '*') return 'All documents';
  return match === 'exact' ? `“${query}”` : `“… ${query} …”`;
}

function effectsOf({ includes, excludes, filter_by, sort_by, replace_query }: Override): string[] {
  const parts = [
    includes && includes.length > 0 && `${includes.length} pinned`,
    excludes && excludes.length > 0 && `${excludes.length} left out`,
    filter_by && 'filtered',
    sort_by && 'in another order',
    replace_query && `as “${replace_query}”`,
  ];
  return parts.filter((part) => typeof part === 'string');
}

function windowOf({ from, until }: Override): string {
  if (!from) return `until ${formatDateTime(until ?? null)}`;
  return until ? `${formatDateTime(from)} to ${formatDateTime(until)}` : `from ${formatDateTime(from)}`;
}
