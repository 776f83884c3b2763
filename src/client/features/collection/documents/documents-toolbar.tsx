import { Button, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import { FilterBox } from '#client/components/filter/filter-box.tsx';
import { fieldLabel } from '#client/lib/field-label.ts';
import { formatNumber } from '#client/lib/format.ts';
import { May } from '#client/lib/workspace-provider.tsx';
import type { ChangeCollection } from '../collection-state.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import type { DocumentsState } from './documents-state.ts';
import classes from './documents-toolbar.module.css';
import { columnFields } from './pick-columns.ts';
import { readSort } from './sort-of.ts';
import type { Documents } from './use-documents.ts';

interface DocumentsToolbarProps {
  documents: Documents;
  /** Of the whole collection. */
  outOf: number;
  state: DocumentsState;
  onChange: ChangeCollection;
  /** As it stands in the box. */
  filter: string;
  onType: (filter: string) => void;
}

const views = [
  { value: 'table' as const, label: 'Table' },
  { value: 'json' as const, label: 'JSON' },
];

export function DocumentsToolbar(props: DocumentsToolbarProps) {
  const { documents, outOf, state, onChange, filter, onType } = props;
  const fields = documents.fields.data ?? [];
  const { answer, isCurrent } = documents.list;
  return (
    <>
      <div className={classes['bar']}>
        <div className={classes['filter']}>
          <FilterBox
            text={filter}
            onType={onType}
            // Of what was asked, not of what is typed since.
            fault={filter === state.filter ? documents.fault : null}
            fields={fields.map(({ path }) => path)}
          />
        </div>
        <SortSelect fields={columnFields(fields).map(({ path }) => path)} state={state} onChange={onChange} />
        {state.view === 'table' && (
          <ColumnsMenu
            fields={columnFields(fields)}
            columns={documents.columns}
            isChosen={state.columns !== undefined}
            onChange={(columns) => onChange({ columns }, { replace: true })}
          />
        )}
        <SegmentedControl
          size="xs"
          aria-label="View"
          data={views}
          value={state.view}
          onChange={(view) => onChange({ view, page: 1 })}
        />
      </div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" c="dimmed" role="status" className={classes['count'] ?? ''}>
          {answer && isCurrent && countText(answer.found, state.filter.trim() ? outOf : null)}
        </Text>
        <May atLeast="editor">
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon shape={plusIcon} size={16} />}
            onClick={() => onChange({ add: true, open: undefined })}
          >
            Add document
          </Button>
        </May>
      </Group>
    </>
  );
}

/** `outOf`: how many there are without the filter; null: there is none. */
function countText(found: number, outOf: number | null): string {
  const noun = (outOf ?? found) === 1 ? 'document' : 'documents';
  return outOf === null
    ? `${formatNumber(found)} ${noun}`
    : `${formatNumber(found)} of ${formatNumber(outOf)} ${noun}`;
}

function SortSelect({
  fields,
  state,
  onChange,
}: { fields: string[] } & Pick<DocumentsToolbarProps, 'state' | 'onChange'>) {
  const sorted = readSort(state.sort)?.field;
  // One in the address that the documents have no longer is still what they are sorted by.
  const known = sorted === undefined || fields.includes(sorted) ? fields : [...fields, sorted];
  return (
    <Select
      size="xs"
      searchable
      aria-label="Sort by"
      className={classes['sort'] ?? ''}
      allowDeselect={false}
      nothingFoundMessage="No such field"
      data={[
        { value: '', label: 'In order of their ids' },
        ...known.flatMap((field) => [
          { value: `${field}:asc`, label: `${fieldLabel(field)}, ascending` },
          { value: `${field}:desc`, label: `${fieldLabel(field)}, descending` },
        ]),
      ]}
      value={state.sort}
      onChange={(sort) => onChange({ sort: sort ?? '', page: 1 })}
    />
  );
}
