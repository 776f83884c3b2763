import type { JsonAnswer } from '#server/embeddings/openai/post-json.ts';
import { ProviderError } from '#server/embeddings/openai/provider-error.ts';
import { retryAfterMs } from '#server/embeddings/openai/refusal-of.ts';

/** Of what was sent with one request. */
const ofRequest = [400, 413, 422];

/** What an answer without scores means. */
export function rerankRefusal({ status, headers }: JsonAnswer): ProviderError {
  const message = `it answers ${status}`;
  const later = { retryAfterMs: retryAfterMs(headers['retry-after']) };
  if (status === 429) return new ProviderError('busy', 'it has too many requests (429)', later);
  if (status >= 500 || status === 408) return new ProviderError('down', message, later);
  if (ofRequest.includes(status)) return new ProviderError('text', message);
  return new ProviderError('setup', message, { advice: adviceOn(status) });
}

function adviceOn(status: number): string {
  if (status === 401 || status === 403) return 'RERANK_API_KEY may not use it';
  if (status === 404) return 'RERANK_URL or RERANK_MODEL is not there';
  if (status >= 300 && status < 400)
    return 'redirects are not followed: RERANK_URL has to be the last of them';
  return 'RERANK_URL is not an endpoint of this kind';
}
