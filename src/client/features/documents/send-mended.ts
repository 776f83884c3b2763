import { inferFields } from './infer-fields.ts';
import type { Rejects } from './rejects.ts';
import { startImport } from './start-import.ts';
import { type Row, rowsReadMax, type UploadContent } from './upload-format.ts';

/** Sends rows that were mended, as NDJSON: those that were in already are not sent again. */
export function sendMended(
  { rejects, documents }: { rejects: Rejects; documents: Row[] },
  around: Parameters<typeof startImport>[1],
): void {
  const { collection, file: before } = rejects;
  const lines = documents.map((document) => `${JSON.stringify(document)}\n`);
  const file = new File(lines, `mended rows of ${before.name}`, { type: 'application/x-ndjson' });
  const rows = documents.slice(0, rowsReadMax);
  const content: UploadContent = {
    format: 'lines',
    rows,
    unread: [],
    isAll: rows.length === documents.length,
  };
  const head = { text: '', isWhole: false, isGzip: false, encoding: 'utf-8', markBytes: 0 } as const;
  startImport(
    { file, head, plan: { content, fields: inferFields(content), columns: [] }, collection },
    around,
  );
}
