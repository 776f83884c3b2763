import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import { tableDialect } from './table-dialect.ts';

/** Those that are told apart by the header; of equals the first. */
const delimiters = [',', ';', '\t', '|'];

/** So much of a table is looked at. */
export const headBytes = 4 * 1024;
/** And so many cells of it, each of which takes csv-parse some microseconds. */
const cellsMax = 500;

/** The delimiter that the header, as far as it is looked at, has most of outside of quotes. */
export function guessDelimiter(table: Uint8Array): string {
  const head = Buffer.from(table.subarray(0, headBytes));
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let cells = 0;
  const enough = new Error('as many cells tell the delimiter');
  const countEnd = (end: number) => {
    cells += 1;
    if (cells > cellsMax) throw enough;
    const delimiter = String.fromCharCode(head[end] ?? 0);
    const count = counts.get(delimiter);
    if (count !== undefined) counts.set(delimiter, count + 1);
  };
  try {
    parse(head, {
      ...tableDialect,
      delimiter: delimiters,
      to: 1,
      cast: (_, { bytes }) => countEnd(bytes),
    });
  } catch (error) {
    // A header may go on behind what is looked at.
    if (error !== enough && !(error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED'))
      throw error;
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? ',';
}
