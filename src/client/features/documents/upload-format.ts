import { firstElements } from './array-scanner.ts';
import { type FileHead, readHead, UploadFormatError } from './file-head.ts';
import { readTable } from './table-head.ts';
import { findWrappedArrays } from './wrapped-arrays.ts';

/** What a file holds, told from its beginning, not from its name. */
type UploadFormat = 'array' | 'lines' | 'wrapped' | 'document' | 'table';

export type Row = Record<string, unknown>;

/** A way to read the file. */
export interface UploadContent {
  format: UploadFormat;
  /** The first documents, as they will be read; of a table, cells by the names of columns. */
  rows: Row[];
  /** The places of those that are no documents. */
  unread: number[];
  /** It has no more than these. */
  isAll: boolean;
  /** Of `wrapped`. */
  wrapper?: { path: string; start: number };
  /** Of `table`. */
  table?: { delimiter: string; columns: string[] };
}

export interface UploadPreview {
  head: FileHead;
  /** The likeliest first. */
  contents: [UploadContent, ...UploadContent[]];
}

export const formatNames: Record<UploadFormat, string> = {
  array: 'JSON array',
  lines: 'NDJSON',
  wrapped: 'JSON',
  document: 'JSON',
  table: 'Table',
};

/** Enough to tell types by; fewer are shown. */
export const rowsReadMax = 200;

/** @throws UploadFormatError saying what was found in place of documents */
export async function previewFile(file: Blob): Promise<UploadPreview> {
  const head = await readHead(file);
  const text = head.text.trimStart();
  if (text.startsWith('[')) return { head, contents: [arrayContent(text.slice(1), head)] };
  if (text.startsWith('{')) return { head, contents: objectContents(head) };
  if (/^<[!?a-z]/i.test(text)) {
    throw new UploadFormatError('This is HTML or XML. Save the data as CSV or JSON and import that.');
  }
  return { head, contents: [await tableContent(head)] };
}

function arrayContent(text: string, { isWhole }: FileHead): UploadContent {
  if (/^\s*\]/.test(text)) throw new UploadFormatError('This array holds no documents.');
  const elements = firstElements(text, rowsReadMax + 1);
  const [first] = elements;
  if (first !== undefined && !parseObject(first)) throw new UploadFormatError(notAnObject(first));
  // One further on that is none is its row's fault.
  const read = readRows(elements);
  return { format: 'array', ...read, isAll: isWhole && elements.length <= rowsReadMax };
}

function notAnObject(element: string): string {
  const seen = element.length > 60 ? `${element.slice(0, 60)}…` : element;
  return `The first element of the array is not a JSON object: ${seen}`;
}

/** Lines of objects, an object around an array, or one document. */
function objectContents(head: FileHead): UploadPreview['contents'] {
  const lines = head.text.split('\n').filter((line) => line.trim() !== '');
  const isOneLine = lines.length === 1;
  const first = parseObject(lines[0] ?? '');
  if (first && !(isOneLine && head.isWhole)) return [linesContent(lines, head)];
  const wrapped = findWrappedArrays(head.text).map(({ path, start }) => ({
    ...arrayContent(head.text.slice(start), head),
    format: 'wrapped' as const,
    wrapper: { path, start },
  }));
  const fullest = wrapped.toSorted((a, b) => b.rows.length - a.rows.length);
  const whole = head.isWhole ? parseObject(head.text) : null;
  const one: UploadContent[] = whole ? [{ format: 'document', rows: [whole], unread: [], isAll: true }] : [];
  const [likeliest, ...others] = [...fullest, ...one];
  if (likeliest) return [likeliest, ...others];
  // One document that is longer than what was read.
  if (isOneLine && !head.isWhole) return [{ format: 'lines', rows: [], unread: [], isAll: false }];
  throw new UploadFormatError(brokenLine(lines[0] ?? ''));
}

function linesContent(lines: string[], { isWhole }: FileHead): UploadContent {
  // The last one may be cut off; one that is broken is its row's fault.
  const whole = isWhole ? lines : lines.slice(0, -1);
  return { format: 'lines', ...readRows(whole), isAll: isWhole && lines.length <= rowsReadMax };
}

function readRows(texts: string[]): Pick<UploadContent, 'rows' | 'unread'> {
  const read = texts.slice(0, rowsReadMax).map(parseObject);
  return { rows: read.map((row) => row ?? {}), unread: read.flatMap((row, at) => (row ? [] : [at])) };
}

function brokenLine(line: string): string {
  const seen = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  return `Line 1 is not a whole JSON object: ${seen} Write one object a line (NDJSON), or put the documents into a JSON array.`;
}

async function tableContent(head: FileHead): Promise<UploadContent> {
  const { columns, cells, delimiter } = await readTable(head, rowsReadMax + 1);
  const rows = cells.slice(0, rowsReadMax);
  if (columns.length < 2 && rows.length === 0) {
    throw new UploadFormatError(
      'This is neither JSON nor a table with a header line. JSON, NDJSON, CSV and TSV can be imported, gzipped or not.',
    );
  }
  const named = rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? ''])));
  return {
    format: 'table',
    rows: named,
    unread: [],
    isAll: head.isWhole && cells.length <= rowsReadMax,
    table: { delimiter, columns },
  };
}

function parseObject(text: string): Row | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : null;
  } catch {
    return null; // Not JSON: the caller says what was expected.
  }
}
