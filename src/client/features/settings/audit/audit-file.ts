import type { AuditEntry } from '#shared/audit-entries.ts';

export type AuditFormat = 'csv' | 'ndjson';

/** Entries as a file that is saved. */
export function auditFile(
  entries: AuditEntry[],
  format: AuditFormat,
): { name: string; content: string; type: string } {
  if (format === 'ndjson') {
    const content = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
    return { name: 'audit-log.ndjson', content, type: 'application/x-ndjson' };
  }
  const lines = [
    columns.map(([name]) => name),
    ...entries.map((entry) => columns.map(([, of]) => of(entry))),
  ];
  const content = lines.map((line) => `${line.map(toCell).join(',')}\r\n`).join('');
  return { name: 'audit-log.csv', content, type: 'text/csv' };
}

const columns: [string, (entry: AuditEntry) => unknown][] = [
  ['id', ({ id }) => id],
  ['createdAt', ({ createdAt }) => createdAt],
  ['action', ({ action }) => action],
  ['outcome', ({ outcome }) => outcome],
  ['times', ({ times }) => times],
  ['actorKind', ({ actor }) => actor.kind],
  ['actorId', ({ actor }) => actor.id],
  ['actorName', ({ actor }) => actor.name],
  ['targetKind', ({ target }) => target?.kind],
  ['targetId', ({ target }) => target?.id],
  ['targetName', ({ target }) => target?.name],
  ['before', ({ before }) => before],
  ['after', ({ after }) => after],
  ['address', ({ address }) => address],
  ['userAgent', ({ userAgent }) => userAgent],
  ['requestId', ({ requestId }) => requestId],
];

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe (OWASP, "CSV Injection"): names are anybody's. */
function toCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
