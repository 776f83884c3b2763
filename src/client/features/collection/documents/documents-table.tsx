import { UnstyledButton } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { chevronDownIcon } from '#client/components/display/icon-shapes.gen.ts';
import { TablePanel } from '#client/components/display/table-panel.tsx';
import { titleOf } from '#client/lib/document-title.ts';
import { fieldLabel } from '#client/lib/field-label.ts';
import { cellText } from './cell-text.ts';
import classes from './documents-table.module.css';
import type { KnownField } from './pick-columns.ts';
import { nextSort, readSort } from './sort-of.ts';
import type { Row } from './use-documents.ts';

interface DocumentsTableProps {
  rows: Row[];
  columns: string[];
  fields: KnownField[];
  sort: string;
  openId: string | undefined;
  onSort: (sort: string) => void;
  onOpen: (id: string) => void;
}

const columnPx = 140;
const titlePx = 220;

/** A row a document: what it is called, and the chosen fields. */
export function DocumentsTable({ rows, columns, fields, openId, onOpen, ...sorting }: DocumentsTableProps) {
  const numbers = new Set(fields.filter(({ types }) => types[0] === 'number').map(({ path }) => path));
  return (
    <TablePanel
      minWidth={titlePx + columns.length * columnPx}
      head={
        <>
          <th scope="col">Document</th>
          {columns.map((path) => (
            <HeadCell key={path} path={path} isNumber={numbers.has(path)} {...sorting} />
          ))}
        </>
      }
    >
      {rows.map((row) => (
        <tr key={row.id} className={classes['row']} data-open={row.id === openId || undefined}>
          <td className={classes['title']}>
            <UnstyledButton className={classes['open'] ?? ''} onClick={() => onOpen(row.id)}>
              <span dir="auto">{titleOf(row.id, row)}</span>
            </UnstyledButton>
            <span className={classes['id']}>{row.id}</span>
          </td>
          {columns.map((path) => (
            <Cell key={path} text={cellText(row, path)} isNumber={numbers.has(path)} />
          ))}
        </tr>
      ))}
    </TablePanel>
  );
}

function Cell({ text, isNumber }: { text: string; isNumber: boolean }) {
  return (
    <td className={classes['cell']} data-number={isNumber || undefined}>
      {text === '' ? (
        <span className={classes['none']}>
          <span aria-hidden="true">–</span>
        </span>
      ) : (
        <span dir="auto" title={text}>
          {text}
        </span>
      )}
    </td>
  );
}

interface HeadCellProps {
  path: string;
  isNumber: boolean;
  sort: string;
  onSort: (sort: string) => void;
}

const said = { asc: 'ascending', desc: 'descending' } as const;

function HeadCell({ path, isNumber, sort, onSort }: HeadCellProps) {
  const now = readSort(sort);
  const direction = now?.field === path ? now.direction : null;
  return (
    <th
      scope="col"
      aria-sort={direction === null ? 'none' : said[direction]}
      data-number={isNumber || undefined}
      className={classes['head']}
    >
      <UnstyledButton
        className={classes['sort'] ?? ''}
        title={path}
        data-direction={direction ?? undefined}
        onClick={() => onSort(nextSort(sort, path))}
      >
        <span dir="auto">{fieldLabel(path)}</span>
        <Icon shape={chevronDownIcon} size={14} />
      </UnstyledButton>
    </th>
  );
}
