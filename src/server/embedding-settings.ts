import path from 'node:path';
import { z } from 'zod';
import { limits } from '#shared/limits.ts';
import { count, switchOf } from './setting-forms.ts';
import { SettingsError } from './settings-error.ts';

/** A service that makes vectors. */
export interface EmbeddingServiceSettings {
  url: string;
  /** Null: none is sent. */
  apiKey: string | null;
  model: string;
  /** What the model always gives; null: it is told how many. */
  dimensions: number | null;
  timeoutMs: number;
  /** Whether it may be spoken to over http, and at an address that is not public. */
  mayBePrivate: boolean;
}

/** A model in a directory, which is run here. */
export interface EmbeddingModelSettings {
  /** In sentence-transformers' form. */
  directory: string;
  /** Its ONNX file, within the directory; null: whichever is there. */
  file: string | null;
}

/** By what texts are embedded. */
export const embeddingVariables = {
  /**
   * `static`: by the table alone, never by the transformer. `openai`: by a service that speaks OpenAI's embeddings. `onnx`: by a
   * sentence-transformer in a directory.
   */
  EMBEDDINGS: z.enum(['builtin', 'static', 'openai', 'onnx']).default('builtin'),
  /** Of which collections: those that are made from now on, or of all, which are moved then. */
  EMBEDDINGS_COLLECTIONS: z.enum(['new', 'all']).default('new'),
  /** With its `/v1`. */
  EMBEDDINGS_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoAccount, 'must have no user and no password: EMBEDDINGS_API_KEY is sent')
    .optional(),
  EMBEDDINGS_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be ASCII without a space')
    .optional(),
  /** The name of the service's model, or a directory. */
  EMBEDDINGS_MODEL: z.string().min(1).max(1_000).optional(),
  EMBEDDINGS_MODEL_FILE: z.string().min(1).max(200).optional(),
  EMBEDDINGS_DIMENSIONS: z.coerce.number().int().min(1).max(limits.dimensionMax).optional(),
  EMBEDDINGS_TIMEOUT_SECONDS: count(20, 1).pipe(z.number().max(300)),
  EMBEDDINGS_TO_PRIVATE_ADDRESSES: switchOf.default(false),
};

function hasNoAccount(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

const variables = z.object(embeddingVariables);

/** Null: what is built in makes all vectors. @throws SettingsError what is wrong with settings that each would do alone */
export function readEmbeddingService(s: z.infer<typeof variables>): EmbeddingServiceSettings | null {
  if (s.EMBEDDINGS !== 'openai') return null;
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model } = s;
  if (url === undefined || model === undefined)
    throw new SettingsError('EMBEDDINGS=openai needs EMBEDDINGS_URL (with its /v1) and EMBEDDINGS_MODEL too');
  const mayBePrivate = s.EMBEDDINGS_TO_PRIVATE_ADDRESSES;
  if (!mayBePrivate && new URL(url).protocol !== 'https:')
    throw new SettingsError(
      'EMBEDDINGS_URL must begin with https:, unless EMBEDDINGS_TO_PRIVATE_ADDRESSES is true',
    );
  return {
    url,
    model,
    apiKey: s.EMBEDDINGS_API_KEY ?? null,
    dimensions: s.EMBEDDINGS_DIMENSIONS ?? null,
    timeoutMs: s.EMBEDDINGS_TIMEOUT_SECONDS * 1000,
    mayBePrivate,
  };
}

/** Null: no directory has the model. @throws SettingsError it is not named */
export function readEmbeddingModel(s: z.infer<typeof variables>): EmbeddingModelSettings | null {
  if (s.EMBEDDINGS !== 'onnx') return null;
  if (s.EMBEDDINGS_MODEL === undefined)
    throw new SettingsError(
      'EMBEDDINGS=onnx needs EMBEDDINGS_MODEL too: the directory of a sentence-transformer',
    );
  return { directory: path.resolve(s.EMBEDDINGS_MODEL), file: s.EMBEDDINGS_MODEL_FILE ?? null };
}
