import { Code, Text } from '@mantine/core';
import { fieldLabel } from '#client/lib/field-label.ts';
import type { JsonValue } from '#shared/documents.ts';
import classes from './document.module.css';
import { type FieldMark, markedPieces, marksWithin } from './field-marks.ts';

interface DocumentFieldsProps {
  document: Record<string, JsonValue>;
  /** What is marked in their texts. */
  marks?: FieldMark[] | undefined;
}

/** A document's fields, one below the other. */
export function DocumentFields({ document, marks = [] }: DocumentFieldsProps) {
  return (
    <dl className={classes['fields']}>
      {Object.entries(document).map(([name, value]) => (
        <div key={name}>
          <dt title={name}>{fieldLabel(name)}</dt>
          <dd dir="auto">
            <Value value={value} path={name} marks={marksWithin(marks, name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface ValueProps {
  value: JsonValue;
  path: string;
  marks: FieldMark[];
}

function Value({ value, path, marks }: ValueProps) {
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
    return value.map((item, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same value may be there twice
      <span key={i}>
        {i > 0 && ', '}
        <Marked text={String(item)} marks={marksWithin(marks, `${path}.${i}`)} />
      </span>
    ));
  if (typeof value === 'object' && value !== null)
    return marks.length === 0 ? (
      <Code block>{JSON.stringify(value, null, 2)}</Code>
    ) : (
      <Inside value={value} path={path} marks={marks} />
    );
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? (
    <Text c="dimmed" span size="sm">
      null
    </Text>
  ) : (
    <Marked text={String(value)} marks={marks} />
  );
}

/** What lies in a field, where some of it is marked. */
function Inside({ value, path, marks }: ValueProps & { value: object }) {
  return (
    <dl className={classes['inside']}>
      {Object.entries(value as Record<string, JsonValue>).map(([name, item]) => (
        <div key={name}>
          <dt title={`${path}.${name}`}>{fieldLabel(name)}</dt>
          <dd dir="auto">
            <Value value={item} path={`${path}.${name}`} marks={marksWithin(marks, `${path}.${name}`)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Marked({ text, marks }: { text: string; marks: FieldMark[] }) {
  if (marks.length === 0) return text;
  return markedPieces(text, marks).map(({ text: piece, kind, start }) => {
    if (kind === 'plain') return piece;
    return kind === 'marked' ? (
      <mark key={start}>{piece}</mark>
    ) : (
      <span key={start} className={classes['around']}>
        {piece}
      </span>
    );
  });
}
