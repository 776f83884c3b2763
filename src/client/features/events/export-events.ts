import type { Request } from '#shared/requests.ts';
import { callerOf } from './format-event.ts';

const columns: [string, (event: Request) => string | number | null][] = [
  ['time', ({ at }) => at],
  ['type', ({ type }) => type],
  ['operation', ({ operation }) => operation],
  ['status', ({ status }) => status],
  ['level', ({ level }) => level],
  ['took_ms', ({ tookMs }) => Math.round(tookMs * 1_000) / 1_000],
  ['hits', ({ found }) => found],
  ['collection', ({ collection }) => collection?.name ?? null],
  ['key', callerOf],
  ['words', ({ words }) => words],
  ['error', ({ error }) => error?.message ?? null],
  ['request_id', ({ requestId }) => requestId],
  ['left_out_before', ({ leftOut }) => leftOut],
];

/** A line of names and a line for each event, by RFC 4180. */
export function eventsCsv(events: readonly Request[]): string {
  const head = columns.map(([name]) => name).join(',');
  const lines = events.map((event) => columns.map(([, read]) => cell(read(event))).join(','));
  return `${[head, ...lines].join('\r\n')}\r\n`;
}

export function eventsJson(events: readonly Request[]): string {
  const rows = events.map((event) => Object.fromEntries(columns.map(([name, read]) => [name, read(event)])));
  return `${JSON.stringify(rows, null, 2)}\n`;
}

/** A text that a spreadsheet would compute is made a text again: what people search for is anybody's. */
function cell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
