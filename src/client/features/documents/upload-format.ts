/** What a file holds, told from its beginning, not from its name. */
export type UploadFormat = 'array' | 'lines';

export interface UploadPreview {
  format: UploadFormat;
  /** The first document, as it will be read; null: it is too long to be shown. */
  first: Record<string, unknown> | null;
}

export const formatNames: Record<UploadFormat, string> = { array: 'JSON array', lines: 'NDJSON' };
export const mediaTypes: Record<UploadFormat, string> = {
  array: 'application/json',
  lines: 'application/x-ndjson',
};

/** So much of a file is read to know what it is; a first document longer than this is not shown. */
const headBytes = 256 * 1024;

/** A sentence for the reader when the file cannot be an upload. */
export class UploadFormatError extends Error {}

/** @throws UploadFormatError saying what was found in place of documents */
export async function previewFile(file: Blob): Promise<UploadPreview> {
  const head = (await file.slice(0, headBytes).text()).replace(/^\uFEFF/, '').trimStart();
  if (head === '') throw new UploadFormatError('This file is empty.');
  if (head.startsWith('[')) return { format: 'array', first: firstOfArray(head) };
  if (head.startsWith('{')) return { format: 'lines', first: firstLine(head) };
  throw new UploadFormatError(
    'This is neither a JSON array nor NDJSON (one JSON object a line). Other formats have to be converted first.',
  );
}

function firstLine(head: string): UploadPreview['first'] {
  const line = head.split('\n', 1)[0] ?? '';
  const document = parseObject(line);
  if (document) return document;
  if (line.length < head.length) {
    throw new UploadFormatError(
      'The first line is not a whole JSON object. Write one object a line (NDJSON), or put the documents into a JSON array.',
    );
  }
  return null;
}

function firstOfArray(head: string): UploadPreview['first'] {
  const end = endOfFirstElement(head);
  if (end === null) return null;
  const text = head.slice(1, end).trim();
  if (text === '') throw new UploadFormatError('This array holds no documents.');
  const document = parseObject(text);
  if (!document) throw new UploadFormatError('The first element of the array is not a JSON object.');
  return document;
}

/** Offset of the comma or bracket after the first element; null when the head ends before. */
function endOfFirstElement(head: string): number | null {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < head.length; i++) {
    const char = head[i];
    if (isInString) {
      if (char === '\\') i++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '[' || char === '{') depth++;
    else if (char === ']' || char === '}') {
      depth--;
      if (depth === 0) return i;
    } else if (char === ',' && depth === 1) return i;
  }
  return null;
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null; // Not JSON: the caller says what was expected.
  }
}
