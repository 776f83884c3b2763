import { Button, Text } from '@mantine/core';
import { filterIcon, historyIcon } from '#client/components/display/icon-shapes.gen.ts';
import { Pager } from '#client/components/display/pager.tsx';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { TableSkeleton } from '#client/components/display/table-skeleton.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { limits } from '#shared/limits.ts';
import type { ChangeSettings } from '../settings-state.ts';
import classes from './audit-list.module.css';
import { AuditRow } from './audit-row.tsx';
import { type AuditState, auditDefaults } from './audit-state.ts';
import { type AuditEntries, auditRowsPerPage, isNarrowed } from './use-audit-entries.ts';

interface AuditListProps {
  entries: AuditEntries;
  state: AuditState & { page: number };
  onChange: ChangeSettings;
}

/** A page of entries, or why there is none. */
export function AuditList({ entries: { list, total }, state, onChange }: AuditListProps) {
  if (list.isError)
    return <ErrorView error={list.error} title="Failed to fetch the audit log" onRetry={list.refetch} />;
  if (!list.data) return <TableSkeleton />;
  if (list.data.length === 0) return <NoEntries state={state} onChange={onChange} />;
  const known = total.data?.total ?? list.data.length;
  const pages = Math.min(Math.ceil(known / auditRowsPerPage), limits.pagedRowsMax / auditRowsPerPage);
  return (
    <div className={classes['list']} aria-busy={list.isPlaceholderData}>
      <Text size="sm" c="dimmed" role="status">
        {formatNumber(known)}
        {total.data?.isMore && ' or more'} {known === 1 ? 'entry' : 'entries'}
      </Text>
      <TablePanel
        minWidth={720}
        head={
          <>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">About</th>
            <th scope="col">Address</th>
          </>
        }
      >
        {list.data.map((entry) => (
          <AuditRow key={entry.id} entry={entry} onOpen={() => onChange({ entry: entry.id })} />
        ))}
      </TablePanel>
      <Pager
        page={state.page}
        pages={Math.max(pages, state.page)}
        total={known}
        noun="entries"
        from={{ row: (state.page - 1) * auditRowsPerPage + 1, rows: list.data.length }}
        onChange={(page) => onChange({ page, entry: 0 })}
      />
    </div>
  );
}

function NoEntries({ state, onChange }: Pick<AuditListProps, 'state' | 'onChange'>) {
  if (state.page > 1)
    return (
      <EmptyState
        icon={historyIcon}
        title="This page is behind the last one"
        description="There are fewer entries than it would take."
      >
        <Button variant="default" onClick={() => onChange({ page: 1 })}>
          To the first page
        </Button>
      </EmptyState>
    );
  if (isNarrowed(state))
    return (
      <EmptyState
        icon={filterIcon}
        title="No entries found"
        description="Nothing like that was done or refused in this workspace."
      >
        <Button variant="default" onClick={() => onChange({ ...auditDefaults, page: 1 })}>
          Clear filters
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={historyIcon}
      title="No entries yet"
      description="What is created, changed, deleted, exported or refused in this workspace is written down here, with who did it."
    />
  );
}
