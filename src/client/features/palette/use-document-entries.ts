import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { fileTextIcon } from '#client/components/display/icon-shapes.gen.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import type { Entry } from './rank-entries.ts';

const documentsShown = 6;
const charactersMin = 2;

/** By keyword, which answers as fast as keys are typed; the palette's searches are not what visitors search for. */
const asked = { collections: '*', mode: 'keyword', enable_analytics: false } as const;

/** The best documents of all collections for what is typed. `collections`: the chosen workspace's, which the search page shows. */
export function useDocumentEntries(
  query: string,
  collections: Collection[],
): { entries: Entry[]; failure: string | null } {
  const navigate = useNavigate();
  const typed = query.trim();
  const isAsked = typed.length >= charactersMin && collections.length > 0;
  const { data, error } = trpc.search.multi.useQuery(
    { searches: [{ ...asked, query: typed }], merge: { page: 1, per_page: 4 * documentsShown } },
    { enabled: isAsked, placeholderData: keepPreviousData, gcTime: 60_000 },
  );
  if (!isAsked) return { entries: [], failure: null };
  const known = new Set(collections.map(({ id }) => id));
  const hits = data && 'hits' in data ? data.hits.filter((hit) => known.has(hit.collection.id)) : [];
  return {
    entries: hits.slice(0, documentsShown).map((hit) => ({
      key: `document-${hit.collection.id}-${hit.id}`,
      kind: 'Document',
      label: titleOf(hit),
      detail: hit.collection.name,
      icon: fileTextIcon,
      run: () => void navigate({ to: '/search', search: { collection: hit.collection.id, q: titleOf(hit) } }),
    })),
    failure: error ? errorMessage(error) : null,
  };
}

function titleOf({ id, document }: Pick<MergedSearchHit, 'id' | 'document'>): string {
  const { title, name } = document;
  const label = [title, name].find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof label === 'string' ? label.slice(0, 200) : id;
}
