import type { Hono } from 'hono';
import { type Environment, rawPathOf } from '#server/http/environment.ts';
import { type Asked, assertBody, assertHead } from './assert-as-described.ts';

/**
 * Holds whatever the app answers against the API's description, however it is asked, by a socket too: status, type and headers of every
 * answer, and the shape of JSON that a test reads. Answers what was not as described: over a socket nobody hears of it.
 */
export function holdToDescription(app: Hono<Environment>): { faults: readonly Error[] } {
  const faults: Error[] = [];
  const note = (error: unknown): never => {
    faults.push(error instanceof Error ? error : new Error(String(error)));
    throw error;
  };
  const { fetch } = app;
  app.fetch = async (request, env, ...more) => {
    const response = await fetch(request, env, ...more);
    const asked = askedBy(request, env);
    try {
      assertHead(asked, response);
    } catch (error) {
      note(error);
    }
    holdBody(asked, response);
    return response;
  };
  return { faults };
}

function askedBy(request: Request, env: Environment['Bindings'] = {}): Asked {
  const { incoming } = env;
  const target = incoming?.url ?? request.url;
  const query = target.indexOf('?');
  return {
    method: request.method,
    path: `${rawPathOf(request, incoming)}${query === -1 ? '' : target.slice(query)}`,
  };
}

/** Once it is read as text or JSON. What is read as a stream is not looked at: to do so would be to read it. */
export function holdBody(asked: Asked, response: Response): Response {
  const { status, headers } = response;
  const readText = response.text.bind(response);
  const read = async () => {
    const text = await readText();
    if (text !== '' && /^application\/json(;|$)/.test(headers.get('content-type') ?? ''))
      assertBody(asked, { status, headers, body: JSON.parse(text) });
    return text;
  };
  // Assigned they could not be: the adapter's responses have them read-only.
  return Object.defineProperties(response, {
    text: { value: read, configurable: true },
    json: { value: async () => JSON.parse(await read()), configurable: true },
  });
}
