import type { AppError } from '#server/errors.ts';

/** What the cells of a column are read as; `any`: each as what it looks like; `decimal comma`: numbers as `1.234,50`. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'any' | 'decimal comma';

/** A column of a table and the field it becomes. */
export interface Column {
  name: string;
  type: ColumnType;
}

/** A row of a table. */
export interface TableRow {
  /** Null: of no field. The same list for all rows of an upload. */
  columns: readonly (Column | null)[];
  cells: readonly string[];
}

/**
 * One element of an upload, in order: its JSON text, its cells, or why it could not be read from the stream. `line`: where in a table it
 * begins, from 1.
 */
export type ImportRow = { index: number; line?: number } & (
  | { text: string }
  | TableRow
  | { fault: AppError }
);

/** How a table is read. */
export interface TableReading {
  /** Absent: the one that the header has most of. */
  delimiter?: string | undefined;
  /** The field that a column becomes, by its name in the header; null: it is left out. */
  mapping?: Readonly<Record<string, string | null>> | undefined;
}

/** Begins to read an upload's rows. */
export type ReadRows = (table: TableReading) => AsyncIterable<ImportRow>;

/** Characters of the JSON that a row becomes, about: in a table each row has the names of its columns. */
export function documentCharactersOf(row: ImportRow): number {
  if (!('cells' in row)) return charactersOf(row);
  let characters = 0;
  for (const [place, cell] of row.cells.entries()) {
    const name = row.columns[place]?.name;
    // Two pairs of quotes, a colon and a comma.
    if (cell !== '' && name !== undefined) characters += name.length + cell.length + 6;
  }
  return Math.max(characters, charactersOf(row));
}

/** Characters of what the sender sent. */
export function charactersOf(row: ImportRow): number {
  if ('text' in row) return row.text.length;
  return 'cells' in row ? row.cells.reduce((sum, cell) => sum + cell.length + 1, 0) : 0;
}
