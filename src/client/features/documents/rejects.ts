import type { ImportFault, ImportResult } from '#shared/documents.ts';
import type { FileHead } from './file-head.ts';
import type { ImportPlan } from './import-plan.ts';
import type { ImportOutcome } from './read-summary.ts';
import type { Upload } from './to-upload.ts';
import type { Row } from './upload-format.ts';

/** Rows of an import that were refused, and what they are read from. */
export interface Rejects {
  collection: { id: number; name: string };
  file: File;
  head: FileHead;
  plan: ImportPlan;
  upload: Upload;
  outcome: ImportOutcome;
}

/** One of them, as it can be mended. */
export interface RejectedRow {
  /** Its place in the file, from 0. */
  index: number;
  error: string;
  code: string;
  /** The field that the error names; null: it is about the row. */
  field: string | null;
  /** Fields as they stand; of a table by what columns become. Null: the row cannot be read as fields. */
  fields: Row | null;
  /** As it stands in the file, where it cannot be read as fields. */
  text: string;
  /** Of a table, with more or fewer cells than columns: they may be other columns', so it is sent only once somebody has seen to it. */
  isUneven: boolean;
}

/** So many can be mended at once; the download has them all. */
export const rowsMendedMax = 1_000;

/** The field that a fault of the server's is about: `year: must be a number`. */
export function fieldOf(error: string, names: string[]): string | null {
  const path = /^([^:]{1,256}): /.exec(error)?.[1];
  if (path === undefined) return null;
  return names.find((name) => name === path) ?? names.find((name) => path.startsWith(`${name}.`)) ?? null;
}

/** Numbers and quoted texts differ from row to row of one cause. */
const patternOf = (message: string) => message.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d+/g, 'N');

/** Rows by the faults that the import told, in their order; what they do not name comes last. */
export function byCause(
  rows: RejectedRow[],
  faults: ImportFault[],
): { cause: string; rows: RejectedRow[] }[] {
  const causes = new Map<string, { cause: string; rows: RejectedRow[] }>();
  for (const { message } of faults) causes.set(patternOf(message), { cause: message, rows: [] });
  for (const row of rows) {
    const pattern = patternOf(row.error);
    const known = causes.get(pattern);
    if (known) known.rows.push(row);
    else causes.set(pattern, { cause: row.error, rows: [row] });
  }
  return [...causes.values()].filter((cause) => cause.rows.length > 0);
}

/** The rows with their reasons, one a line: what can be mended elsewhere and sent again once the reasons are taken out. */
export function rejectsFile(rows: RejectedRow[], failures: ImportResult[]): string {
  const read = new Map(rows.map((row) => [row.index, row]));
  return failures
    .map(({ index, line, id, code, error }) => {
      const row = read.get(index);
      const source = row?.fields ?? row?.text ?? null;
      return `${JSON.stringify({ row: index + 1, line, id, code, error, source })}\n`;
    })
    .join('');
}

/** What was done to a cell: what looks like a number, a list and so on is one, anything else a text; nothing is no field. */
export function editedValue(text: string): unknown {
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? text : value;
  } catch {
    return text; // A text, as most are.
  }
}

/** Whether a row was refused because this field is not a text: what is typed there is one, be it a number. */
export function wantsText({ field, error }: Pick<RejectedRow, 'field' | 'error'>, name: string): boolean {
  return field === name && error.endsWith('must be a string');
}

/** A value as it is shown in a cell. */
export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export type Rule = 'number' | 'clear' | 'set' | 'leave out';

/** A field of many rows changed in one way. */
export function applyRule(value: unknown, rule: Exclude<Rule, 'leave out'>, text: string): unknown {
  if (rule === 'clear') return undefined;
  if (rule === 'set') return editedValue(text);
  return numberIn(cellOf(value)) ?? value;
}

/** `$1,299.50`, `1 299,50 €`: a number with what people write around it; null: there is none. */
function numberIn(text: string): number | null {
  const bare = text.replaceAll(/[^\d.,+-]/g, '');
  const isDecimalComma = /,\d{1,2}$/.test(bare) && !/\.\d{1,2}$/.test(bare);
  const plain = isDecimalComma ? bare.replaceAll('.', '').replace(',', '.') : bare.replaceAll(',', '');
  return /\d/.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : null;
}
