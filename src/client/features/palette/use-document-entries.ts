import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { fileTextIcon } from '#client/components/display/icon-shapes.gen.ts';
import { errorMessage } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import type { MergedSearchHit } from '#shared/search.ts';
import type { Entry } from './rank-entries.ts';

const documentsShown = 6;
const charactersMin = 2;

/** By keyword, which answers as fast as keys are typed; the palette's searches are not what visitors search for. */
const asked = { mode: 'keyword', enable_analytics: false } as const;

/** The best documents of these collections for what is typed. */
export function useDocumentEntries(
  query: string,
  collections: Collection[],
): { entries: Entry[]; failure: string | null; isSearching: boolean } {
  const navigate = useNavigate();
  const typed = query.trim();
  const ids = collections.flatMap(({ id, isActive }) => (isActive ? [id] : []));
  const isAsked = typed.length >= charactersMin && ids.length > 0;
  const { data, error, isFetching } = trpc.search.multi.useQuery(
    {
      searches: [{ ...asked, collections: ids.slice(0, limits.mergedCollectionsMax), query: typed }],
      merge: { page: 1, per_page: documentsShown },
    },
    { enabled: isAsked, placeholderData: keepPreviousData, gcTime: 60_000 },
  );
  if (!isAsked) return { entries: [], failure: null, isSearching: false };
  const hits = data && 'hits' in data ? data.hits : [];
  return {
    entries: hits.map((hit) => ({
      key: `document-${hit.collection.id}-${hit.id}`,
      kind: 'Document',
      label: titleOf(hit),
      detail: hit.collection.name,
      icon: fileTextIcon,
      run: () => {
        const open = `${hit.collection.id}/${hit.id}`;
        void navigate({ to: '/search', search: { collection: hit.collection.id, q: titleOf(hit), open } });
      },
    })),
    failure: error ? errorMessage(error) : null,
    isSearching: isFetching,
  };
}

function titleOf({ id, document }: Pick<MergedSearchHit, 'id' | 'document'>): string {
  const { title, name } = document;
  const label = [title, name].find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof label === 'string' ? label.slice(0, 200) : id;
}
