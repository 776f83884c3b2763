/**
 * A non-OK answer of the server outside tRPC (an upload, say), or one from a proxy in its place.
 * The message reads `status: body`, the status text where the body is empty.
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
