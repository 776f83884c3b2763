import type { LanguageModel } from 'ai';
import { toModelError } from './model-error.ts';
import type { ModelProvider } from './model-providers.ts';

/** What is sent to a model, beside its rules. */
export interface Prompt {
  system: string;
  messages: { role: 'user'; content: string }[];
}

const answerTokensMax = 1_024;
/** A reply that goes on beyond it is cut there. */
const answerCharactersMax = 8_000;

/**
 * What a model writes, as it writes it. Its provider is asked once; what asks again, waits or chooses another model is the caller's.
 * @throws AppError UNAVAILABLE, UNPROCESSABLE (the key or the model's name is refused), and the signal's reason
 */
export async function* streamModel(
  provider: ModelProvider,
  { prompt, signal }: { prompt: Prompt; signal: AbortSignal },
): AsyncGenerator<string> {
  const late = AbortSignal.timeout(provider.timeoutMs);
  const ended = new AbortController();
  let characters = 0;
  try {
    const { streamText } = await import('ai');
    const result = streamText({
      model: await modelOf(provider),
      system: prompt.system,
      messages: prompt.messages,
      abortSignal: AbortSignal.any([signal, late, ended.signal]),
      maxOutputTokens: answerTokensMax,
      maxRetries: 0,
      temperature: 0,
      // Failures come as parts; unless told otherwise they are written to the console too.
      onError: () => {},
    });
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'abort') break;
      if (part.type === 'finish' && !wholeReasons.has(part.finishReason)) throw new CutStreamError();
      if (part.type !== 'text-delta') continue;
      yield part.text.slice(0, answerCharactersMax - characters);
      characters += part.text.length;
      if (characters >= answerCharactersMax) return;
    }
    signal.throwIfAborted();
    if (late.aborted) throw late.reason;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw toModelError(provider, { error, isLate: late.aborted });
  } finally {
    ended.abort();
  }
}

/** With any other the stream ended before the model did. */
const wholeReasons = new Set<string>(['stop', 'length', 'content-filter']);

class CutStreamError extends Error {}

/** The packages are loaded when a model is asked first: nobody else pays for them. */
async function modelOf({ name, apiKey, baseUrl, modelId }: ModelProvider): Promise<LanguageModel> {
  const settings = { apiKey, fetch: fetchThere, ...(baseUrl !== null && { baseURL: baseUrl }) };
  if (name === 'gpt-4') {
    const { createOpenAI } = await import('@ai-sdk/openai');
    // Proxies and other servers know this way to ask, and not the newer one.
    return createOpenAI(settings).chat(modelId);
  }
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic(settings)(modelId);
}

/** A redirect is no answer: followed, it would take the key and the documents elsewhere. */
const fetchThere: typeof fetch = (address, init) => fetch(address, { ...init, redirect: 'error' });
