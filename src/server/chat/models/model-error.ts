import { AppError } from '#server/errors.ts';
import { type LanguageModelName, type ModelProvider, settingsOf } from './model-providers.ts';

interface Failure {
  error: unknown;
  /** It has taken longer than it may. */
  isLate: boolean;
}

const retryAfterSecondsMax = 120;

/**
 * What a caller and the log hear of a model that failed. Nothing of the provider's text is in it: that may repeat the prompt, the key or what else
 * it was sent.
 */
export function toModelError(
  { name, timeoutMs }: Pick<ModelProvider, 'name' | 'timeoutMs'>,
  { error, isLate }: Failure,
): AppError {
  const status = statusOf(error);
  const cause = new Error(`${name}: ${status === null ? nameOf(error) : `status ${status}`}`);
  const refusal = refusedSetting(name, status);
  if (refusal !== null) return new AppError('UNPROCESSABLE', refusal, { cause });
  const unavailable = (message: string, retryAfterSeconds = 5) =>
    new AppError('UNAVAILABLE', `The model "${name}" ${message}`, { cause, retryAfterSeconds });
  if (isLate) return unavailable(`did not answer within ${timeoutMs / 1000} s`);
  if (status === 429) return unavailable('has too many requests; try again later', waitOf(error));
  if (status !== null) return unavailable('failed; try again later', waitOf(error));
  return unavailable('could not be reached, or broke off; try again later');
}

function refusedSetting(name: LanguageModelName, status: number | null): string | null {
  const { key, model } = settingsOf[name];
  if (status === 401 || status === 403)
    return `The model "${name}" cannot be used: its provider refuses ${key}`;
  if (status === 404) return `The model "${name}" cannot be used: its provider has none that ${model} names`;
  return null;
}

function statusOf(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return null;
  // What cannot be read of a good answer carries its status too.
  return typeof error.statusCode === 'number' && error.statusCode >= 400 ? error.statusCode : null;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no error';
}

/** What the provider asks for, within bounds. */
function waitOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('responseHeaders' in error)) return undefined;
  const headers = error.responseHeaders as Record<string, string> | undefined;
  const seconds = Number(headers?.['retry-after']);
  return seconds > 0 ? Math.min(seconds, retryAfterSecondsMax) : undefined;
}
