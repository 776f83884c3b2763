import { Button, Checkbox, Popover, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { adjustmentsHorizontalIcon } from '#client/components/display/icon-shapes.gen.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import classes from './columns-menu.module.css';
import { columnsMax } from './documents-state.ts';
import type { KnownField } from './pick-columns.ts';

interface ColumnsMenuProps {
  /** Those that can be shown. */
  fields: KnownField[];
  columns: string[];
  /** Somebody chose them. */
  isChosen: boolean;
  /** Undefined: as nobody had chosen. */
  onChange: (columns: string[] | undefined) => void;
}

const searchFrom = 12;
const fieldsShownMax = 60;

export function ColumnsMenu({ fields, columns, isChosen, onChange }: ColumnsMenuProps) {
  const [search, setSearch] = useState('');
  const paths = [...new Set([...fields.map(({ path }) => path), ...columns])];
  const wanted = search.trim().toLowerCase();
  const matching = paths.filter((path) => `${path} ${fieldLabel(path)}`.toLowerCase().includes(wanted));
  return (
    <Popover position="bottom-end" shadow="md" trapFocus width="min(18rem, calc(100vw - 2rem))">
      <Popover.Target>
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon shape={adjustmentsHorizontalIcon} size={16} />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {paths.length > searchFrom && (
            <TextInput
              size="xs"
              aria-label="Find a field"
              placeholder="Find a field"
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
          <Checkbox.Group
            aria-label="Columns"
            value={columns}
            // In the order of the fields, wherever a box is ticked.
            onChange={(ticked) => onChange(paths.filter((path) => ticked.includes(path)))}
          >
            <div className={classes['fields']}>
              {matching.slice(0, fieldsShownMax).map((path) => (
                <Checkbox
                  key={path}
                  size="xs"
                  value={path}
                  label={fieldLabel(path)}
                  title={path}
                  disabled={columns.length >= columnsMax && !columns.includes(path)}
                />
              ))}
            </div>
          </Checkbox.Group>
          {matching.length === 0 && (
            <Text size="xs" c="dimmed">
              {paths.length === 0 ? 'No document has a field beside its id and title.' : 'No such field.'}
            </Text>
          )}
          {matching.length > fieldsShownMax && (
            <Text size="xs" c="dimmed">
              {matching.length - fieldsShownMax} more: find them by their names.
            </Text>
          )}
          {isChosen && (
            <Button size="compact-xs" variant="subtle" onClick={() => onChange(undefined)}>
              Show the usual ones
            </Button>
          )}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
