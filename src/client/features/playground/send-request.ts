import type { Method } from './endpoints.ts';

export interface ApiRequest {
  method: Method;
  /** Of this origin, with its query string. */
  path: string;
  /** JSON, as it is sent. */
  body: string | null;
}

/** What came back; `status` 0: nothing did, and `data` says why. */
export interface ApiResponse {
  status: number;
  statusText: string;
  /** JSON is laid out over lines; everything else is as it came. */
  data: string;
  isJson: boolean;
  headers: [name: string, value: string][];
  /** Until the whole body was here. */
  timeMs: number;
  /** As it came, unpacked. */
  bytes: number;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

const methodsWithBody: readonly Method[] = ['POST', 'PUT', 'PATCH'];

/** Sends it as the owner of the key alone, without the console's session. Rejects only when `signal` is aborted. */
export async function sendRequest(
  { method, path, body }: ApiRequest,
  key: string,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const begun = performance.now();
  try {
    const answer = await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
      ...(body !== null && methodsWithBody.includes(method) && { body }),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    });
    const text = await answer.text();
    const { status, statusText, headers } = answer;
    return {
      status,
      statusText,
      ...layOut(text),
      headers: [...headers].toSorted(([a], [b]) => (a < b ? -1 : 1)),
      timeMs: performance.now() - begun,
      bytes: new Blob([text]).size,
    };
  } catch (error) {
    signal.throwIfAborted();
    const message = (error instanceof Error && error.message) || 'Unknown error';
    const timeMs = performance.now() - begun;
    return {
      status: 0,
      statusText: '',
      ...layOut(JSON.stringify({ error: message })),
      headers: [],
      timeMs,
      bytes: 0,
    };
  }
}

function layOut(text: string): Pick<ApiResponse, 'data' | 'isJson'> {
  try {
    return { data: JSON.stringify(JSON.parse(text), null, 2), isJson: true };
  } catch {
    return { data: text, isJson: false }; // A page of a proxy, or nothing.
  }
}
