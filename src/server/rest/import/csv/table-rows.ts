import { AppError } from '#server/errors.ts';
import type { TableReading } from '#server/wire/import-row.ts';
import type { TablePiece } from '../splitter.ts';
import { columnsOf, fieldsOf } from './columns.ts';
import type { ParsedRow } from './table-parser.ts';

/** So many rows are looked at before the first goes on, to tell the types of the columns. */
const sampleRows = 100;
const sampleBytesMax = 256 * 1024;

type Held = { line: number } & ({ cells: string[] } | { fault: AppError });
type Fields = ReturnType<typeof fieldsOf>;
type Columns = ReturnType<typeof columnsOf>;

/** What the rows of a table are: the first one its header, the others cells of the columns that it names. */
export class TableRows {
  readonly #mapping: TableReading['mapping'];
  readonly #delimiter: string;
  #fields: Fields | null = null;
  #columns: Columns | null = null;
  #sample: Held[] = [];
  #sampleBytes = 0;
  #isOver = false;

  constructor({ mapping, delimiter }: { mapping: TableReading['mapping']; delimiter: string }) {
    this.#mapping = mapping;
    this.#delimiter = delimiter;
  }

  /** The header cannot be used: no row can. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get heldBytes(): number {
    return this.#sampleBytes;
  }

  *take(row: ParsedRow): Generator<TablePiece> {
    if (this.#isOver) return;
    if (this.#fields === null) {
      const fault = this.#readHeader(row);
      if (fault === null) return;
      this.#isOver = true;
      yield { line: row.line, fault };
      return;
    }
    const held = toHeld(row, this.#fields);
    if (this.#columns !== null) {
      yield toPiece(held, this.#columns);
      return;
    }
    this.#sample.push(held);
    this.#sampleBytes += row.bytes;
    if (this.#sample.length >= sampleRows || this.#sampleBytes >= sampleBytesMax)
      yield* this.#release(this.#fields);
  }

  *end(): Generator<TablePiece> {
    if (this.#isOver) return;
    if (this.#fields === null) {
      yield { line: 1, fault: new AppError('BAD_REQUEST', 'Expected a header line that names the columns') };
    } else if (this.#columns === null) yield* this.#release(this.#fields);
  }

  /** What is wrong with it. */
  #readHeader({ cells, fault }: ParsedRow): AppError | null {
    try {
      if (fault !== null) throw fault;
      this.#fields = fieldsOf(cells, this.#mapping);
      return null;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { code, details } = error;
      return new AppError(code, `The header: ${error.message}`, { ...(details && { details }) });
    }
  }

  *#release(fields: Fields): Generator<TablePiece> {
    const rows = this.#sample.flatMap((held) => ('cells' in held ? [held.cells] : []));
    const columns = columnsOf(fields, { rows, delimiter: this.#delimiter });
    const sample = this.#sample;
    this.#columns = columns;
    this.#sample = [];
    this.#sampleBytes = 0;
    for (const held of sample) yield toPiece(held, columns);
  }
}

function toHeld({ line, cells, fault }: ParsedRow, fields: Fields): Held {
  const problem = fault ?? misfit(cells, fields);
  return problem === null ? { line, cells: cells.slice(0, fields.length) } : { line, fault: problem };
}

/** There are as many cells as columns; further ones, and those of columns without a name, must be empty. Null: they are. */
function misfit(cells: string[], fields: Fields): AppError | null {
  if (cells.length < fields.length || cells.slice(fields.length).some((cell) => cell !== '')) {
    return new AppError('BAD_REQUEST', `The row has ${cells.length} cells, the header has ${fields.length}`);
  }
  const nameless = fields.findIndex((field, place) => field === '' && cells[place] !== '');
  if (nameless === -1) return null;
  return new AppError('BAD_REQUEST', `Cell ${nameless + 1} of the row is in a column without a name`);
}

function toPiece(held: Held, columns: Columns): TablePiece {
  const { line } = held;
  return 'cells' in held ? { line, columns, cells: held.cells } : { line, fault: held.fault };
}
