import { Group, SegmentedControl, Select } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { SearchField } from '#client/components/fields/search-field.tsx';
import type { RequestOverview } from '#shared/requests.ts';
import classes from './event-filters.module.css';
import {
  type ChangeEvents,
  type EventFilter,
  type EventsState,
  eventFilters,
  type StatusFilter,
  statusFilters,
} from './events-state.ts';

interface EventFiltersProps {
  overview: UseQueryResult<RequestOverview>;
  state: EventsState;
  onChange: ChangeEvents;
}

const typeLabels: Record<EventFilter, string> = {
  all: 'All',
  search: 'Search',
  insert: 'Insert',
  update: 'Update',
  delete: 'Delete',
};
const statusLabels: Record<StatusFilter, string> = {
  all: 'Any status',
  success: 'Success',
  warning: 'Warning',
  error: 'Error',
};
/** Of the console's requests, which have no key. */
const consoleKey = { value: '0', label: 'Console' };

export function EventFilters({ overview, state, onChange }: EventFiltersProps) {
  const { keys = [], collections = [] } = overview.data ?? {};
  return (
    <Group gap="sm" role="search" aria-label="Filter events">
      <SegmentedControl
        aria-label="Type"
        data={eventFilters.map((value) => ({ value, label: typeLabels[value] }))}
        value={state.type}
        onChange={(type) => onChange({ type: type as EventFilter })}
        className={classes['types'] ?? ''}
      />
      <Select
        className={classes['choice'] ?? ''}
        aria-label="Status"
        allowDeselect={false}
        data={statusFilters.map((value) => ({ value, label: statusLabels[value] }))}
        value={state.status}
        onChange={(status) => status && onChange({ status: status as StatusFilter })}
      />
      <Select
        className={classes['choice'] ?? ''}
        aria-label="API key"
        placeholder="Any key"
        clearable
        data={[consoleKey, ...choices(keys, state.key)]}
        value={state.key === undefined ? null : String(state.key)}
        onChange={(key) => onChange({ key: key === null ? undefined : Number(key) })}
      />
      <Select
        className={classes['choice'] ?? ''}
        aria-label="Collection"
        placeholder="Any collection"
        clearable
        searchable
        data={choices(collections, state.collection)}
        value={state.collection === undefined ? null : String(state.collection)}
        onChange={(id) => onChange({ collection: id === null ? undefined : Number(id) })}
      />
      <div className={classes['words']}>
        <SearchField
          label="Find a query or request id"
          value={state.q}
          onChange={(q) => onChange({ q }, { replace: true })}
        />
      </div>
    </Group>
  );
}

/** Those that there are, and the chosen one in any case. */
function choices(named: { id: number; name: string }[], chosen: number | undefined) {
  const isThere = !chosen || named.some(({ id }) => id === chosen);
  const all = isThere ? named : [...named, { id: chosen, name: `#${chosen}` }];
  return all
    .map(({ id, name }) => ({ value: String(id), label: name }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}
