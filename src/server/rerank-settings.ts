import { z } from 'zod';
import { count, switchOf } from './setting-forms.ts';
import { SettingsError } from './settings-error.ts';

/** A service that reads query and document together, and orders the best hits by that. */
export interface RerankSettings {
  /** Of its endpoint, whole. */
  url: string;
  /** Null: none is sent. */
  apiKey: string | null;
  /** Null: none is named. */
  model: string | null;
  timeoutMs: number;
  /** Whether it may be spoken to over http, and at an address that is not public. */
  mayBePrivate: boolean;
}

export const rerankVariables = {
  /** Whole, as `https://api.jina.ai/v1/rerank`. Absent: no search can ask for it. */
  RERANK_URL: z
    .url({ protocol: /^https?$/ })
    .refine(hasNoAccount, 'must have no user and no password: RERANK_API_KEY is sent')
    .optional(),
  RERANK_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be ASCII without a space')
    .optional(),
  RERANK_MODEL: z.string().min(1).max(200).optional(),
  /** After so long the hits stay as they are. */
  RERANK_TIMEOUT_MS: count(1_000, 50).pipe(z.number().max(10_000)),
  RERANK_TO_PRIVATE_ADDRESSES: switchOf.default(false),
};

function hasNoAccount(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { username, password } = new URL(url);
  return username === '' && password === '';
}

const variables = z.object(rerankVariables);

/** Null: there is none. @throws SettingsError what is wrong with settings that each would do alone */
export function readRerank(s: z.infer<typeof variables>): RerankSettings | null {
  const { RERANK_URL: url, RERANK_TO_PRIVATE_ADDRESSES: mayBePrivate } = s;
  if (url === undefined) return null;
  if (!mayBePrivate && new URL(url).protocol !== 'https:')
    throw new SettingsError('RERANK_URL must begin with https:, unless RERANK_TO_PRIVATE_ADDRESSES is true');
  return {
    url,
    apiKey: s.RERANK_API_KEY ?? null,
    model: s.RERANK_MODEL ?? null,
    timeoutMs: s.RERANK_TIMEOUT_MS,
    mayBePrivate,
  };
}
