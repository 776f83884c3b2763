/**
 * Calls to the REST API from the console (uploads, the playground), with the session cookie.
 * A non-OK answer becomes an error that reads `status: body` (the status text where the body is empty).
 */
export class RestError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'RestError';
    this.status = status;
    this.body = body;
  }
}

export async function restFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { credentials: 'include', ...init });
  if (!response.ok) throw new RestError(response.status, response.statusText, await response.text());
  return response;
}

export async function restJson(path: string, init: RequestInit = {}): Promise<unknown> {
  return (await restFetch(path, init)).json();
}
