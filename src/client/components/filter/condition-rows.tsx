import { ActionIcon, Button, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon, xIcon } from '#client/components/display/icon-shapes.gen.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import classes from './condition-rows.module.css';
import { type FilterRow, operators, readRows, writeRows } from './filter-rows.ts';

interface ConditionRowsProps {
  text: string;
  onType: (filter: string) => void;
  fields: string[];
}

const emptyRow: FilterRow = { field: '', operator: ':=', value: '' };

/** What is not complete yet stands in the rows alone. */
export function ConditionRows({ text, onType, fields }: ConditionRowsProps) {
  const [kept, setKept] = useState({ rows: withOne(readRows(text)), of: text });
  if (kept.of !== text) setKept({ rows: withOne(readRows(text)), of: text });
  if (kept.rows === null) {
    return <Text size="sm">This filter says more than rows can. It goes on in its text.</Text>;
  }
  const { rows } = kept;
  const change = (next: FilterRow[]) => {
    const written = writeRows(next);
    setKept({ rows: next, of: written });
    onType(written);
  };
  const set = (i: number, part: Partial<FilterRow>) =>
    change(rows.map((row, j) => (j === i ? { ...row, ...part } : row)));
  return (
    <div className={classes['rows']}>
      {/* Rows have no name of their own; their place is what they are known by. */}
      {Object.entries(rows).map(([place, row]) => (
        <Row
          key={place}
          row={row}
          place={Number(place) + 1}
          fields={fields}
          onChange={(part) => set(Number(place), part)}
          onRemove={() => change(rows.filter((_, other) => other !== Number(place)))}
        />
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<Icon shape={plusIcon} size={16} />}
        onClick={() => setKept({ ...kept, rows: [...rows, emptyRow] })}
      >
        Add a condition
      </Button>
    </div>
  );
}

function withOne(rows: FilterRow[] | null): FilterRow[] | null {
  return rows?.length === 0 ? [emptyRow] : rows;
}

interface RowProps {
  row: FilterRow;
  place: number;
  fields: string[];
  onChange: (part: Partial<FilterRow>) => void;
  onRemove: () => void;
}

function Row({ row, place, fields, onChange, onRemove }: RowProps) {
  const known = fields.includes(row.field) || row.field === '' ? fields : [...fields, row.field];
  return (
    <div className={classes['row']}>
      <Select
        size="xs"
        searchable
        aria-label={`Field ${place}`}
        placeholder="Field"
        comboboxProps={{ withinPortal: false }}
        data={known.map((field) => ({ value: field, label: fieldLabel(field) }))}
        value={row.field || null}
        onChange={(field) => onChange({ field: field ?? '' })}
      />
      <Select
        size="xs"
        aria-label={`Comparison ${place}`}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        data={operators.map(({ value, label }) => ({ value, label }))}
        value={row.operator}
        onChange={(operator) => operator !== null && onChange({ operator })}
      />
      <TextInput
        size="xs"
        aria-label={`Value ${place}`}
        placeholder={row.operator === '..' ? '1990..2000' : 'Value'}
        disabled={row.operator === '*'}
        value={row.operator === '*' ? '' : row.value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      <ActionIcon aria-label={`Remove condition ${place}`} onClick={onRemove}>
        <Icon shape={xIcon} size={16} />
      </ActionIcon>
    </div>
  );
}
