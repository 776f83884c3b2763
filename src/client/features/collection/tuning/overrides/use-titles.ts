import { keepPreviousData } from '@tanstack/react-query';
import { titleFields, titleOf } from '#client/lib/document-title.ts';
import { quoted } from '#client/lib/quoted.ts';
import { trpc } from '#client/lib/trpc.ts';

/** More are called by their ids. */
const idsMax = 200;

/** What documents are called, by id; one that does not exist is not among them. */
export function useTitles(
  collection: number,
  ids: string[],
): { titles: Map<string, string>; isKnown: boolean } {
  const asked = ids.slice(0, idsMax).toSorted();
  const found = trpc.search.keyword.useQuery(
    {
      collection,
      query: '*',
      filter_by: `id:[${asked.map(quoted).join(', ')}]`,
      include_fields: titleFields,
      per_page: idsMax,
      enable_overrides: false,
      enable_analytics: false,
    },
    { enabled: asked.length > 0, placeholderData: keepPreviousData },
  );
  const hits = found.data && 'hits' in found.data ? found.data.hits : [];
  return {
    titles: new Map(hits.map(({ id, document }) => [id, titleOf(id, document)])),
    isKnown: found.isSuccess && !found.isPlaceholderData && ids.length <= idsMax,
  };
}
