import type { RouterInputs, TrpcClient } from '#client/lib/trpc.ts';
import { judgedQuery } from '#shared/judged-query.ts';

type Override = RouterInputs['overrides']['upsert'];

interface PinnedHit {
  collection: number;
  query: string;
  id: string;
  /** The override that acts on the search; null: none does. */
  acting: string | null;
}

/** What to write so that the document has the first place that no other is pinned to. @throws Error to be shown: another override acts */
export async function withPin(
  client: TrpcClient,
  at: PinnedHit,
): Promise<{ override: Override; position: number }> {
  const { includes = [], ...own } = (await readOwn(client, at)) ?? {
    rule: { query: at.query.trim(), match: 'exact' as const },
  };
  const taken = new Set(includes.map(({ position }) => position));
  let position = 1;
  while (taken.has(position)) position += 1;
  const pins = [...includes, { id: at.id, position }];
  return { override: { collection: at.collection, ...own, includes: pins }, position };
}

/** What to write so that the document is not pinned any more; null: nothing is left of the override. @throws Error to be shown: another override acts */
export async function withoutPin(client: TrpcClient, at: PinnedHit): Promise<{ override: Override | null }> {
  const own = await readOwn(client, at);
  if (!own) return { override: null };
  const includes = own.includes?.filter(({ id }) => id !== at.id) ?? [];
  const { excludes = [], filter_by, sort_by, replace_query } = own;
  const isEmpty = includes.length + excludes.length === 0 && !filter_by && !sort_by && !replace_query;
  return { override: isEmpty ? null : { collection: at.collection, ...own, includes } };
}

async function readOwn(client: TrpcClient, { collection, query, acting }: PinnedHit) {
  if (acting === null) return null;
  const override = await client.overrides.get.query({ collection, id: acting });
  const { rule } = override;
  if (rule.match === 'exact' && judgedQuery(rule.query) === judgedQuery(query)) return override;
  throw new Error(`The override “${acting}” acts on this query and on others. Pin the document there.`);
}
