import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs';
import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { SearchPage } from '#client/features/search/search-page.tsx';
import { type ChangeSearch, searchDefaults, searchState } from '#client/features/search/search-state.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

export const Route = createFileRoute('/_console/search')({
  staticData: { nav: { label: 'Vector Search', icon: IconSearch, order: 20 } },
  validateSearch: searchState,
  search: { middlewares: [stripSearchParams(searchDefaults)] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.collections.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Vector Search'),
  component: Search,
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
