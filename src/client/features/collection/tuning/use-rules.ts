import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type TrpcClient, trpc } from '#client/lib/trpc.ts';
import { limits } from '#shared/limits.ts';
import type { Override } from '#shared/overrides.ts';
import type { Synonym } from '#shared/synonyms.ts';

/** All of a collection, page after page; the keys lie under the routers' names, so that a change fetches them anew. */

export function useSynonyms(collection: number): UseQueryResult<Synonym[]> {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: [['synonyms'], 'all', collection],
    queryFn: ({ signal }) =>
      wholeList(limits.synonymsMax, (page) => synonymsOf(client, { collection, ...page }, signal)),
  });
}

export function useOverrides(collection: number): UseQueryResult<Override[]> {
  const { client } = trpc.useUtils();
  return useQuery({
    queryKey: [['overrides'], 'all', collection],
    queryFn: ({ signal }) =>
      wholeList(limits.overridesMax, (page) => overridesOf(client, { collection, ...page }, signal)),
  });
}

interface Page {
  page: number;
  per_page: number;
}
type PageOf = Page & { collection: number };

async function synonymsOf(client: TrpcClient, page: PageOf, signal: AbortSignal): Promise<Synonym[]> {
  return (await client.synonyms.list.query(page, { signal })).synonyms;
}

async function overridesOf(client: TrpcClient, page: PageOf, signal: AbortSignal): Promise<Override[]> {
  return (await client.overrides.list.query(page, { signal })).overrides;
}

/** Until a page is not full. What was added or deleted meanwhile may be there twice or not at all: each is kept once. */
async function wholeList<Rule extends { id: string }>(
  most: number,
  read: (page: Page) => Promise<Rule[]>,
): Promise<Rule[]> {
  const perPage = limits.perPageMax;
  const rules = new Map<string, Rule>();
  for (let page = 1; page <= Math.ceil(most / perPage) + 1; page += 1) {
    const found = await read({ page, per_page: perPage });
    for (const rule of found) rules.set(rule.id, rule);
    if (found.length < perPage) break;
  }
  return [...rules.values()];
}
