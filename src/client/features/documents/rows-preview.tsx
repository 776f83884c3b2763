import { Paper, Select, Table, Text, TextInput } from '@mantine/core';
import { formatNumber } from '#client/lib/format.ts';
import { type FieldType, fieldTypes } from '#shared/collections.ts';
import type { ColumnPlan } from './import-plan.ts';
import type { FoundField } from './infer-fields.ts';
import classes from './rows-preview.module.css';
import type { UploadContent } from './upload-format.ts';

const rowsShown = 20;
const columnsShown = 60;
const cellCharactersMax = 80;

const typeNames: Record<FoundField['type'], string> = {
  string: 'text',
  number: 'number',
  boolean: 'yes or no',
  date: 'date',
  geopoint: 'place',
  list: 'list',
  object: 'object',
  empty: 'empty so far',
};

interface RowsPreviewProps {
  content: UploadContent;
  fields: FoundField[];
  columns: ColumnPlan[];
  onColumns: (columns: ColumnPlan[]) => void;
  /** Into a new collection, whose fields are not declared yet. */
  canChooseTypes: boolean;
}

/** The first rows, and above each column of a table the field it becomes. */
export function RowsPreview({ content, fields, columns, onColumns, canChooseTypes }: RowsPreviewProps) {
  const shown = fields.slice(0, columnsShown);
  const change = (column: string, changed: Partial<ColumnPlan>) =>
    onColumns(columns.map((plan) => (plan.column === column ? { ...plan, ...changed } : plan)));
  return (
    <Paper withBorder className={classes['root'] ?? ''}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
      <section className={classes['scroller']} tabIndex={0} aria-label="First rows">
        <Table verticalSpacing={4} stickyHeader>
          <Table.Thead>
            <Table.Tr>
              {shown.map((found) => (
                <Table.Th key={found.name} className={classes['head'] ?? ''} scope="col">
                  <ColumnHead
                    found={found}
                    plan={columns.find(({ column }) => column === found.name)}
                    canChooseTypes={canChooseTypes}
                    onChange={(changed) => change(found.name, changed)}
                  />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {content.rows.slice(0, rowsShown).map((row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file are told apart by their place
              <Table.Tr key={place}>
                {content.unread.includes(place) && (
                  <Table.Td colSpan={Math.max(1, shown.length)} className={classes['unread'] ?? ''}>
                    Row {formatNumber(place + 1)} is not a document: it will be refused.
                  </Table.Td>
                )}
                {!content.unread.includes(place) &&
                  shown.map(({ name }) => (
                    <Table.Td key={name} className={classes['cell'] ?? ''} dir="auto">
                      {cellText(row[name])}
                    </Table.Td>
                  ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {fields.length > shown.length && (
        <Text size="xs" c="dimmed" p="xs">
          and {formatNumber(fields.length - shown.length)} more fields
        </Text>
      )}
    </Paper>
  );
}

const asFound = 'found';
const leftOut = 'out';

interface ColumnHeadProps {
  found: FoundField;
  /** Of a table. */
  plan: ColumnPlan | undefined;
  canChooseTypes: boolean;
  onChange: (changed: Partial<ColumnPlan>) => void;
}

function ColumnHead({ found, plan, canChooseTypes, onChange }: ColumnHeadProps) {
  const { name, type } = found;
  if (!plan) {
    return (
      <>
        <span className={classes['name']}>{name}</span>
        <span className={classes['type']}>{typeNames[type]}</span>
      </>
    );
  }
  const value = plan.field === null ? leftOut : (plan.type ?? asFound);
  return (
    <>
      <span className={classes['name']} title={name}>
        {name || '(no name)'}
      </span>
      <TextInput
        size="xs"
        aria-label={`Field of the column ${name}`}
        value={plan.field ?? ''}
        disabled={plan.field === null}
        onChange={(event) => onChange({ field: event.currentTarget.value })}
        autoComplete="off"
      />
      <Select
        size="xs"
        mt={4}
        aria-label={`Type of the column ${name}`}
        allowDeselect={false}
        data={[
          { value: asFound, label: `as found: ${typeNames[type]}` },
          ...(canChooseTypes ? fieldTypes.map((each) => ({ value: each, label: typeNames[each] })) : []),
          { value: leftOut, label: 'left out' },
        ]}
        value={value}
        onChange={(chosen) => {
          if (chosen === leftOut) return onChange({ field: null, type: null });
          onChange({ field: plan.field ?? name, type: chosen === asFound ? null : (chosen as FieldType) });
        }}
      />
    </>
  );
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > cellCharactersMax ? `${text.slice(0, cellCharactersMax)}…` : text;
}
