import { Code, Text } from '@mantine/core';
import { fieldLabel } from '#client/lib/field-label.ts';
import type { JsonValue } from '#shared/documents.ts';
import classes from './document.module.css';

/** A document's fields, one below the other. */
export function DocumentFields({ document }: { document: Record<string, JsonValue> }) {
  return (
    <dl className={classes['fields']}>
      {Object.entries(document).map(([name, value]) => (
        <div key={name}>
          <dt title={name}>{fieldLabel(name)}</dt>
          <dd dir="auto">
            <Value value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ value }: { value: JsonValue }) {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ');
  if (typeof value === 'object' && value !== null) return <Code block>{JSON.stringify(value, null, 2)}</Code>;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? (
    <Text c="dimmed" span size="sm">
      null
    </Text>
  ) : (
    String(value)
  );
}
