import { z } from 'zod';
import { PrivateAddressError, type Resolve } from '#server/outbound/find-addresses.ts';
import type { EmbeddedRow } from '../embedding-service.ts';
import { AnswerTooLongError, JsonPoster } from './post-json.ts';
import { ProviderError } from './provider-error.ts';
import { parsedJson, refusalOf } from './refusal-of.ts';

export interface OpenAiOptions {
  /** With its `/v1`; `/embeddings` is added to its path. */
  url: string;
  /** Null: none is sent. */
  apiKey: string | null;
  model: string;
  /** What the model always gives; null: it is told how many (`dimensions`). */
  dimensions: number | null;
  timeoutMs: number;
  mayBePrivate: boolean;
  resolve: Resolve;
}

/** Components are looked at one by one below: a schema of a hundred thousand numbers takes longer. */
const answerSchema = z.object({
  data: z.array(
    z.object({
      embedding: z.custom<unknown[]>((value) => Array.isArray(value)),
      index: z.int().min(0).optional(),
    }),
  ),
});

/** JSON writes a component in some twenty characters; beyond twice that an answer is not what was asked for. */
const componentBytes = 48;
const headBytes = 64 * 1024;

/** One request to an endpoint that speaks OpenAI's `POST /embeddings`. */
export class OpenAiClient {
  readonly #options: OpenAiOptions;
  readonly #poster: JsonPoster;
  readonly #url: URL;

  constructor(options: OpenAiOptions) {
    this.#options = options;
    this.#poster = new JsonPoster(options);
    this.#url = new URL(options.url);
    this.#url.pathname = `${this.#url.pathname.replace(/\/+$/, '')}/embeddings`;
  }

  /** A row for each text, in their order. @throws ProviderError, the signal's reason */
  async embed(texts: string[], dimension: number, signal?: AbortSignal): Promise<EmbeddedRow[]> {
    const { apiKey, model, dimensions, timeoutMs } = this.#options;
    const late = AbortSignal.timeout(timeoutMs);
    const posting = {
      url: this.#url,
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({
        model,
        input: texts,
        encoding_format: 'float',
        ...(dimensions === null && { dimensions: dimension }),
      }),
      bytesMax: headBytes + texts.length * dimension * componentBytes,
    };
    const answer = await this.#poster
      .post(posting, signal ? AbortSignal.any([late, signal]) : late)
      .catch((cause: unknown) => {
        signal?.throwIfAborted();
        throw failureOf(cause, late.aborted ? timeoutMs : null);
      });
    if (answer.status !== 200) throw refusalOf(answer, apiKey);
    return rowsOf(answer.body, texts.length, dimension);
  }

  close(): void {
    this.#poster.close();
  }
}

function failureOf(cause: unknown, waitedMs: number | null): ProviderError {
  if (cause instanceof PrivateAddressError)
    return new ProviderError('setup', 'its address is not allowed', {
      cause,
      advice: 'it is not https on the public Internet; EMBEDDINGS_TO_PRIVATE_ADDRESSES=true allows others',
    });
  if (cause instanceof AnswerTooLongError)
    return new ProviderError('down', 'it answers more than was asked for', { cause });
  if (waitedMs !== null)
    return new ProviderError('down', `it does not answer within ${waitedMs / 1_000} s`, { cause });
  return new ProviderError('down', 'the connection failed', { cause });
}

function rowsOf(body: string, count: number, dimension: number): EmbeddedRow[] {
  const answer = answerSchema.safeParse(parsedJson(body));
  if (!answer.success) throw new ProviderError('down', 'its answer is not one of embeddings');
  const { data } = answer.data;
  if (data.length !== count)
    throw new ProviderError(
      'down',
      `the number of its vectors is not that of the texts (${data.length}, ${count})`,
    );
  const rows = new Map<number, EmbeddedRow>();
  for (const [i, { embedding, index = i }] of data.entries()) rows.set(index, rowOf(embedding, dimension));
  return Array.from({ length: count }, (_, i) => {
    const row = rows.get(i);
    if (row === undefined) throw new ProviderError('down', 'its answer leaves a text out');
    return row;
  });
}

function rowOf(embedding: unknown[], dimension: number): EmbeddedRow {
  if (embedding.length !== dimension)
    return `its vector has ${embedding.length} components in place of ${dimension}`;
  const row = new Float32Array(dimension);
  let squares = 0;
  for (const [i, x] of embedding.entries()) {
    // NaN and Infinity are null in the JSON of most.
    if (typeof x !== 'number' || !Number.isFinite(Math.fround(x)))
      return `component ${i} of its vector is not a finite number`;
    row[i] = x;
    squares += x * x;
  }
  const length = Math.sqrt(squares);
  return length === 0 ? row : row.map((x) => x / length);
}
