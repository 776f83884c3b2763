import { Checkbox, Pagination, Paper, Stack, Table, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatNumber } from '#client/lib/format.ts';
import classes from './mend-grid.module.css';
import type { RejectedRow } from './rejects.ts';
import type { Mending } from './use-mending.ts';

const rowsOfPage = 25;
const columnsShown = 30;

/** Rows of one cause, each cell to be edited, the one at fault marked. */
export function MendGrid({ rows, mending }: { rows: RejectedRow[]; mending: Mending }) {
  const [page, setPage] = useState(1);
  const pages = Math.ceil(rows.length / rowsOfPage);
  const shown = rows.slice((page - 1) * rowsOfPage, page * rowsOfPage);
  const blamed = rows.flatMap(({ field }) => field ?? []);
  const all = rows.flatMap(({ fields }) => Object.keys(fields ?? {}));
  // Where they are all the same it stands above them.
  const hasReasons = rows.some(({ error }) => error !== rows[0]?.error);
  // What is at fault comes first, so that nobody has to look for it.
  const names = [...new Set([...blamed, ...all])].slice(0, columnsShown);
  return (
    <Stack gap="xs">
      <Paper withBorder className={classes['root'] ?? ''}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to take the focus */}
        <section className={classes['scroller']} tabIndex={0} aria-label="Failed rows">
          <Table verticalSpacing={4} stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Send</Table.Th>
                <Table.Th scope="col" ta="right">
                  Row
                </Table.Th>
                {hasReasons && (
                  <Table.Th scope="col" className={classes['reason'] ?? ''}>
                    What was wrong
                  </Table.Th>
                )}
                {names.length === 0 ? (
                  <Table.Th scope="col">As it stands in the file</Table.Th>
                ) : (
                  names.map((name) => (
                    <Table.Th key={name} scope="col">
                      {name}
                    </Table.Th>
                  ))
                )}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((row) => (
                <MendRow key={row.index} row={row} names={names} hasReason={hasReasons} mending={mending} />
              ))}
            </Table.Tbody>
          </Table>
        </section>
      </Paper>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={setPage}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
        />
      )}
    </Stack>
  );
}

interface MendRowProps {
  row: RejectedRow;
  names: string[];
  hasReason: boolean;
  mending: Mending;
}

function MendRow({ row, names, hasReason, mending }: MendRowProps) {
  const { fields, text, isLeftOut } = mending.of(row);
  const label = `row ${formatNumber(row.index + 1)}`;
  return (
    <Table.Tr data-out={isLeftOut || undefined} className={classes['row'] ?? ''}>
      <Table.Td>
        <Checkbox
          aria-label={`Send ${label}`}
          checked={!isLeftOut}
          onChange={(event) => mending.setLeftOut(row, !event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td ta="right">{formatNumber(row.index + 1)}</Table.Td>
      {hasReason && <Table.Td className={classes['reason'] ?? ''}>{row.error}</Table.Td>}
      {row.fields ? (
        names.map((name) => (
          <Table.Td key={name}>
            <TextInput
              size="xs"
              className={classes['field'] ?? ''}
              aria-label={`${name} of ${label}`}
              value={mending.cell(row, name)}
              error={name === row.field && fields?.[name] === row.fields?.[name]}
              onChange={(event) => mending.setCell(row, name, event.currentTarget.value)}
              autoComplete="off"
              spellCheck={false}
            />
          </Table.Td>
        ))
      ) : (
        <Table.Td colSpan={Math.max(1, names.length)}>
          <Textarea
            size="xs"
            className={classes['text'] ?? ''}
            aria-label={`Text of ${label}`}
            value={text}
            error={mending.isReadable(row) ? null : 'Write it as a JSON object to send it: {"title": "…"}'}
            autosize
            maxRows={6}
            onChange={(event) => mending.setText(row, event.currentTarget.value)}
            spellCheck={false}
          />
        </Table.Td>
      )}
    </Table.Tr>
  );
}
