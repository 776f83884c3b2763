/** A request as a line for the terminal. */
export interface CurlRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** JSON as text, sent as it is. */
  json?: string;
  /** Sent as it is. */
  text?: string | undefined;
  /** A file sent as it is. */
  file?: string;
}

/** Quoted for a POSIX shell, so that it runs as pasted whatever the values hold. */
export function curlCommand({ method, url, headers = {}, body, json, text, file }: CurlRequest): string {
  // Otherwise it reads what is in brackets as several addresses.
  const options = /[[\]{}]/.test(url) ? '-g ' : '';
  const parts = [`curl ${options}${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  const sent = json ?? (body === undefined ? undefined : jsonText(body));
  if (sent !== undefined) {
    parts.push(`-H ${quote('Content-Type: application/json')}`, `-d ${quote(sent)}`);
  }
  if (text !== undefined) parts.push(`--data-binary ${quote(text)}`);
  if (file !== undefined) parts.push(`--data-binary ${quote(`@${file}`)}`);
  return parts.join(' \\\n  ');
}

const lineCharactersMax = 72;

/** On lines of its own where it is long: a body is read before it is sent. */
function jsonText(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length > lineCharactersMax ? JSON.stringify(body, null, 2) : line;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
