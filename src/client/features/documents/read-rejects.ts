import type { ImportResult } from '#shared/documents.ts';
import { ArrayScanner } from './array-scanner.ts';
import { plainBlob } from './file-head.ts';
import { fieldOf, type RejectedRow, type Rejects, rowsMendedMax } from './rejects.ts';
import { parseTable } from './table-head.ts';
import { readChunks } from './to-upload.ts';
import type { Row } from './upload-format.ts';

/**
 * The first rows that were refused, read once more from their file: it is gone through chunk by chunk and nothing else of it is kept.
 * @throws NotReadableError where the file has changed since
 */
export async function readRejects(
  rejects: Rejects,
  signal: AbortSignal,
  rowsMax = rowsMendedMax,
): Promise<RejectedRow[]> {
  const failures = rejects.outcome.failures.slice(0, rowsMax);
  const texts = await textsOf(rejects, failures, signal);
  const isTable = rejects.plan.content.format === 'table';
  return await Promise.all(
    failures.map(async (failure): Promise<RejectedRow> => {
      const text = texts.get(failure.index) ?? '';
      const cells = isTable ? await cellsOf(text, rejects) : null;
      const fields = isTable ? cells && fieldsOf(cells, rejects) : parsed(text);
      const isUneven = cells !== null && cells.length !== rejects.plan.columns.length;
      const { index, error = '', code = '' } = failure;
      return { index, error, code, fields, text, isUneven, field: fieldOf(error, Object.keys(fields ?? {})) };
    }),
  );
}

/** By their index. */
async function textsOf(
  { upload, head, plan }: Rejects,
  failures: ImportResult[],
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const { format } = plan.content;
  const last = Math.max(...failures.map(({ index }) => index));
  const wanted = new Set(failures.map(({ index }) => index));
  // What is sent is UTF-8 but for tables.
  const isTable = format === 'table';
  const body = upload.isGzip || isTable ? await plainBlob(upload.body, head) : upload.body;
  if (isTable) return await linesOfTable(body, failures, signal);
  return format === 'lines'
    ? await linesOf(body, { wanted, last }, signal)
    : await elementsOf(body, { wanted, last }, signal);
}

interface Wanted {
  wanted: Set<number>;
  last: number;
}

async function elementsOf(body: Blob, { wanted, last }: Wanted, signal: AbortSignal) {
  const found = new Map<number, string>();
  const scanner = new ArrayScanner({
    wants: (place) => wanted.has(place),
    onElement: (text, place) => found.set(place, text),
  });
  let isBegun = false;
  await readChunks(body.stream(), signal, (chunk) => {
    const start = isBegun ? 0 : chunk.indexOf(0x5b) + 1;
    isBegun ||= start > 0;
    if (isBegun) scanner.push(chunk.subarray(start));
    return scanner.count <= last && scanner.end === null;
  });
  return found;
}

async function linesOf(body: Blob, { wanted, last }: Wanted, signal: AbortSignal) {
  const found = new Map<number, string>();
  let index = 0;
  await eachLine(body, signal, (line) => {
    if (line.trim() === '') return true;
    if (wanted.has(index)) found.set(index, line);
    index += 1;
    return index <= last;
  });
  return found;
}

/** A row of a table may go over several lines. */
const linesOfRowMax = 50;

/** The lines from the one on which each row begins; parsing ends a row where it ends. */
async function linesOfTable(body: Blob, failures: ImportResult[], signal: AbortSignal) {
  const starts = new Map(failures.map(({ line = 0, index }) => [line, index]));
  const last = Math.max(...starts.keys());
  const found = new Map<number, string[]>();
  let open: { index: number; since: number }[] = [];
  let number = 0;
  await eachLine(body, signal, (line) => {
    number += 1;
    const index = starts.get(number);
    if (index !== undefined) open.push({ index, since: number });
    open = open.filter(({ since }) => number - since < linesOfRowMax);
    for (const row of open) found.set(row.index, [...(found.get(row.index) ?? []), line]);
    return number < last + linesOfRowMax;
  });
  return new Map([...found].map(([index, lines]) => [index, lines.join('\n')]));
}

/** Ends of lines are LF, CRLF and CR, as in tables. */
async function eachLine(body: Blob, signal: AbortSignal, onLine: (line: string) => boolean): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  let goesOn = true;
  await readChunks(body.stream(), signal, (chunk) => {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end may be half of a CRLF.
    const isHalf = rest.endsWith('\r');
    const lines = (isHalf ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + (isHalf ? '\r' : '');
    goesOn = lines.every(onLine);
    return goesOn;
  });
  if (goesOn && rest !== '') onLine(rest.replace(/\r$/, ''));
}

/** Null: it cannot be split. */
async function cellsOf(text: string, { plan }: Rejects): Promise<string[] | null> {
  const { table } = plan.content;
  if (!table) return null;
  const [cells] = await parseTable(text, { delimiter: table.delimiter, rowsMax: 1 });
  return cells ?? null;
}

/** Missing cells can be filled in, and what is beyond the columns stands in the last one. */
function fieldsOf(cells: string[], { plan }: Rejects): Row {
  const { columns, content } = plan;
  const last = columns.length - 1;
  const beyond = cells.slice(last).join(content.table?.delimiter);
  return Object.fromEntries(
    columns.flatMap(({ field, type }, place) => {
      const cell = place === last ? beyond : (cells[place] ?? '');
      if (field === null) return [];
      if (place >= cells.length) return [[field, undefined]];
      if (cell === '') return [];
      const found = type ?? plan.fields[place]?.type;
      return [[field, field === 'id' ? cell : typed(cell, found)]];
    }),
  );
}

/** As the server reads a cell of such a column. */
function typed(cell: string, type: string | undefined): unknown {
  if (type === 'number' && /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(cell))
    return Number(cell);
  if (type === 'boolean' && /^(?:true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return cell;
}

function parsed(text: string): Row | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
  } catch {
    return null; // It is shown as it stands.
  }
}
