import { ActionIcon, Button, Group, Select, Stack, Text } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import { limits } from '#shared/limits.ts';
import classes from './field-weights.module.css';
import { NumberField } from './number-field.tsx';

interface FieldWeightsProps {
  /** Null: all texts are searched. */
  fields: string[] | null;
  weights: number[] | null;
  /** Those that the documents have, with texts. */
  known: string[];
  onChange: (fields: string[] | null, weights: number[] | null) => void;
}

const range = { min: 0, max: limits.fieldWeightMax };

/** Which fields are searched for words, and how much each counts. */
export function FieldWeights({ fields, weights, known, onChange }: FieldWeightsProps) {
  const rows = (fields ?? []).map((name, i) => ({ name, weight: weights?.[i] ?? 1 }));
  const free = known.filter((name) => !fields?.includes(name));
  const set = (next: { name: string; weight: number }[]) => {
    if (next.length === 0) return onChange(null, null);
    const isPlain = next.every(({ weight }) => weight === 1);
    onChange(
      next.map(({ name }) => name),
      isPlain ? null : next.map(({ weight }) => weight),
    );
  };
  const [first] = free;
  return (
    <Stack gap="xs">
      {rows.length === 0 && <Text size="sm">All texts of a document are searched, and count the same.</Text>}
      {rows.map((row, i) => (
        <div key={row.name} className={classes['row']}>
          <Select
            aria-label={`Field ${i + 1}`}
            data={[row.name, ...free]}
            allowDeselect={false}
            searchable
            value={row.name}
            onChange={(name) => name && set(rows.with(i, { ...row, name }))}
          />
          <NumberField
            aria-label={`Weight of ${row.name}`}
            value={row.weight}
            range={range}
            leftSection="×"
            onChange={(weight) => weight !== null && set(rows.with(i, { ...row, weight }))}
          />
          <ActionIcon
            aria-label={`Do not search ${row.name}`}
            onClick={() => set(rows.filter((other) => other.name !== row.name))}
          >
            <Icon shape={trashIcon} />
          </ActionIcon>
        </div>
      ))}
      {first !== undefined && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon shape={plusIcon} />}
            onClick={() => set([...rows, { name: first, weight: 1 }])}
          >
            {rows.length === 0 ? 'Choose fields' : 'Add field'}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
