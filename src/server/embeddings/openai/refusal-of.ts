import { z } from 'zod';
import type { JsonAnswer } from './post-json.ts';
import { ProviderError } from './provider-error.ts';

const retryAfterSecondsMax = 3_600;
const saidCharactersMax = 200;

export const dimensionAdvice =
  'its model does not give every dimension: EMBEDDINGS_DIMENSIONS has to say which';

/** What an answer without vectors means, with what it says itself, where that is of use: shortened, and never with a key in it. */
export function refusalOf({ status, headers, body }: JsonAnswer, apiKey: string | null): ProviderError {
  const later = { retryAfterMs: retryAfterMs(headers['retry-after']) };
  const setup = (advice: string, said = '') =>
    new ProviderError('setup', `it answers ${status}`, { advice, said });
  if (status === 429) return new ProviderError('busy', 'it has too many requests (429)', later);
  if (status >= 500 || status === 408) return new ProviderError('down', `it answers ${status}`, later);
  if (status === 400 || status === 413 || status === 422) {
    const { message = '', param } = errorOf(body);
    if (param === 'dimensions' || /dimension|matryoshka/i.test(message))
      return new ProviderError('dimension', `it answers ${status}`, {
        advice: dimensionAdvice,
        said: shown(message, apiKey),
      });
    return new ProviderError('text', `it answers ${status}`, { said: shown(message, apiKey) });
  }
  if (status === 401 || status === 403) return setup('EMBEDDINGS_API_KEY may not use it');
  if (status === 404)
    return setup(
      'EMBEDDINGS_URL or EMBEDDINGS_MODEL is not there',
      shown(errorOf(body).message ?? '', apiKey),
    );
  if (status >= 300 && status < 400)
    return setup('redirects are not followed: EMBEDDINGS_URL has to be the last of them');
  return setup('EMBEDDINGS_URL is not an endpoint of this kind');
}

/** Keys, also those that are half hidden, names of organisations, and addresses. */
const secrets = /\b(?:sk|pk|org|proj|key|bearer)[-_ ][\w*.…-]{6,}|\bhttps?:\/\/\S+/gi;

function shown(message: string, apiKey: string | null): string {
  const withoutKey = apiKey === null ? message : message.replaceAll(apiKey, '…');
  const oneLine = withoutKey
    .replaceAll(secrets, '…')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return oneLine.slice(0, saidCharactersMax).toWellFormed();
}

export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const said = z.string().optional().catch(undefined);
const refusal = z.object({ message: said, param: said });
/** OpenAI's; a text alone; vLLM's older one; FastAPI's, a text or a list of faults. */
const errorSchema = z.union([
  z.object({ error: refusal }).transform(({ error }) => error),
  z.object({ error: z.string() }).transform(({ error }) => ({ message: error, param: undefined })),
  z.object({ message: z.string(), param: said }),
  z.object({ detail: z.unknown() }).transform(({ detail }) => ({
    message: typeof detail === 'string' ? detail : JSON.stringify(detail),
    param: undefined,
  })),
]);

function errorOf(body: string): { message?: string | undefined; param?: string | undefined } {
  const parsed = errorSchema.safeParse(parsedJson(body));
  return parsed.success ? parsed.data : {};
}

/** Seconds, or a date (RFC 9110, 10.2.3), an hour at most. Null: neither. */
export function retryAfterMs(text: string | undefined): number | null {
  if (text === undefined) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), retryAfterSecondsMax) * 1_000;
}
