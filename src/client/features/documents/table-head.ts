import type { FileHead } from './file-head.ts';

/** Those that are told apart by the header; of equals the first. */
const delimiters = [',', ';', '\t', '|'];

interface TableHead {
  delimiter: string;
  columns: string[];
  /** Of the first rows. */
  cells: string[][];
}

/** The first rows of a table, read as the server reads them. */
export async function readTable({ text, isWhole }: FileHead, rowsMax: number): Promise<TableHead> {
  const delimiter = guessDelimiter(text);
  const [header = [], ...rows] = await parseTable(text, { delimiter, rowsMax: rowsMax + 1 });
  // The last row may be cut off.
  const cells = isWhole || rows.length === rowsMax ? rows : rows.slice(0, -1);
  return { delimiter, columns: header.map((name) => name.trim()), cells };
}

/** Rows by RFC 4180. What is broken ends them: a row that is cut off has a quote that is not closed. */
export async function parseTable(
  text: string,
  { delimiter, rowsMax }: { delimiter: string; rowsMax: number },
): Promise<string[][]> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const rows: string[][] = [];
  try {
    parse(text, {
      delimiter,
      to: rowsMax,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      on_record: (record: string[]) => {
        rows.push(record);
        return null;
      },
    });
  } catch {
    // The import says what is wrong with that row, and on which line.
  }
  return rows;
}

/** The one that the header has most of outside of quotes. */
function guessDelimiter(text: string): string {
  const counts = new Map(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a);
  return most?.[0] ?? ',';
}
