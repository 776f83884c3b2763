import { Button, Group, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import type { RejectedRow, Rule } from './rejects.ts';
import type { Mending } from './use-mending.ts';

const rules: { value: Rule; label: string }[] = [
  { value: 'number', label: 'Read as a number' },
  { value: 'clear', label: 'Empty the field' },
  { value: 'set', label: 'Set the field to' },
  { value: 'leave out', label: 'Leave out' },
];

/** One change to all rows of a cause. */
export function MendRule({ rows, mending }: { rows: RejectedRow[]; mending: Mending }) {
  const names = [...new Set(rows.flatMap(({ fields }) => Object.keys(fields ?? {})))];
  const blamed = rows[0]?.field ?? null;
  const [rule, setRule] = useState<Rule>(names.length === 0 ? 'leave out' : blamed ? 'number' : 'set');
  const [field, setField] = useState(blamed ?? names[0] ?? '');
  const [text, setText] = useState('');
  const isOfField = rule !== 'leave out';
  return (
    <Group align="flex-end" gap="xs">
      <Select
        label={rows.length === 1 ? 'For this row' : `For all ${formatNumber(rows.length)} rows`}
        size="xs"
        allowDeselect={false}
        data={names.length === 0 ? rules.slice(-1) : rules}
        value={rule}
        onChange={(value) => setRule(value as Rule)}
      />
      {isOfField && (
        <Select
          label="Field"
          size="xs"
          allowDeselect={false}
          searchable={names.length > 8}
          data={names}
          value={field}
          onChange={(value) => setField(value ?? '')}
        />
      )}
      {rule === 'set' && (
        <TextInput
          label="Value"
          size="xs"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
        />
      )}
      <Button
        size="xs"
        variant="default"
        disabled={isOfField && field === ''}
        onClick={() => mending.apply(rows, { rule, field, text })}
      >
        Apply
      </Button>
    </Group>
  );
}
