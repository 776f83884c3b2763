/** A request as a line for the terminal. */
export interface CurlRequest {
  method: 'GET' | 'POST';
  url: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** A file sent as it is. */
  file?: string;
}

/** Quoted for a POSIX shell, so that it runs as pasted whatever the values hold. */
export function curlCommand({ method, url, headers = {}, body, file }: CurlRequest): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quote(url)}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quote(`${name}: ${value}`)}`);
  if (body !== undefined) {
    parts.push(`-H ${quote('Content-Type: application/json')}`, `-d ${quote(JSON.stringify(body))}`);
  }
  if (file !== undefined) parts.push(`--data-binary ${quote(`@${file}`)}`);
  return parts.join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
