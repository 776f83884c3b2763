import { limits } from '#shared/limits.ts';

/**
 * The cells of one row (RFC 4180): a cell that begins with a quote goes to the quote that closes it, two quotes in it are one. A quote
 * within a cell that does not begin with one is a character like others.
 */
export function readCells(row: string, delimiter: string): string[] | { fault: string } {
  const cells: string[] = [];
  for (let at = 0; ; at += 1) {
    if (cells.length === limits.tableColumnsMax) {
      return { fault: `has more than ${limits.tableColumnsMax} cells` };
    }
    const end =
      row.charAt(at) === '"' ? readQuoted(row, at, cells) : readPlain(row, at, { delimiter, cells });
    if (end === null) return { fault: `the quote that opens cell ${cells.length + 1} is never closed` };
    if (end === row.length) return cells;
    if (row.charAt(end) !== delimiter) {
      return {
        fault: `cell ${cells.length} goes on behind its closing quote; a quote within quotes is written twice`,
      };
    }
    at = end;
  }
}

/** Answers where the cell ends; null: nowhere. */
function readQuoted(row: string, start: number, cells: string[]): number | null {
  const parts: string[] = [];
  for (let from = start + 1; ; ) {
    const quote = row.indexOf('"', from);
    if (quote === -1) return null;
    parts.push(row.slice(from, quote));
    if (row.charAt(quote + 1) !== '"') {
      cells.push(parts.join('"'));
      return quote + 1;
    }
    from = quote + 2;
  }
}

function readPlain(
  row: string,
  start: number,
  { delimiter, cells }: { delimiter: string; cells: string[] },
): number {
  const found = row.indexOf(delimiter, start);
  const end = found === -1 ? row.length : found;
  cells.push(row.slice(start, end));
  return end;
}
