import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { searchIcon } from '#client/components/display/icon-shapes.ts';
import { searchDefaults, searchState } from '#client/features/search/search-state.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

export const Route = createFileRoute('/_console/search')({
  staticData: { nav: { label: 'Vector Search', icon: searchIcon, order: 20 } },
  validateSearch: searchState,
  search: { middlewares: [stripSearchParams(searchDefaults)] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.collections.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Vector Search'),
});
