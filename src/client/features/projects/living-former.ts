import type { ApiKey } from '#shared/api-keys.ts';

/** The value of before a rotation, while it still works: a list may be older than its end. */
export function livingFormer({ former }: Pick<ApiKey, 'former'>, now = Date.now()): ApiKey['former'] {
  return former !== null && Date.parse(former.until) > now ? former : null;
}
