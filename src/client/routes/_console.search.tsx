import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { searchIcon } from '#client/components/display/icon-shapes.gen.ts';
import type { ChangeSearch } from '#client/features/search/search-state.ts';
import { searchDefaults, searchState } from '#client/features/search/search-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

/** Apart from the page, which takes longer to come. That it cannot be fetched is the page's to complain about. */
const fetchAhead = () => import('#client/features/search/search-ahead.ts').catch(() => null);
const SearchPage = lazyPage(() => import('#client/features/search/search-page.tsx'), 'SearchPage');

export const Route = createFileRoute('/_console/search')({
  staticData: {
    nav: { label: 'Vector Search', icon: searchIcon, order: 20, letter: 'S' },
    ahead: (context, { workspaceId, search }) => {
      void context.trpc.collections.list.prefetch({ workspaceId });
      void fetchAhead().then((code) =>
        code?.fetchSearchAhead(context, workspaceId, searchState(search as never)),
      );
    },
  },
  validateSearch: searchState,
  search: { middlewares: [stripSearchParams(searchDefaults)] },
  loaderDeps: ({ search: { collection } }) => ({ collection }),
  loader: async ({ context, deps: { collection } }) => {
    const { trpc } = context;
    // The first search waits for it, and it for nothing.
    if (collection !== undefined)
      void fetchAhead().then((code) => code?.fetchShapeAhead(context, collection));
    const workspace = currentWorkspace(await trpc.workspaces.list.ensureData());
    if (workspace) void trpc.collections.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Vector Search'),
  component: preloading(SearchPage, Search),
});

function Search() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const change: ChangeSearch = (next, options) =>
    navigate({
      search: (previous) => ({ ...previous, ...next }),
      replace: options?.replace ?? false,
      resetScroll: next.page !== undefined && Object.keys(next).length === 1,
    });
  return <SearchPage state={state} onChange={change} />;
}
