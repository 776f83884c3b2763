import {
  createFileRoute,
  lazyRouteComponent,
  type SearchSchemaInput,
  stripSearchParams,
} from '@tanstack/react-router';
import { stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { textParam } from '#client/lib/search-params.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

const CollectionsPage = lazyRouteComponent(
  () => import('#client/features/collections/collections-page.tsx'),
  'CollectionsPage',
);

export const Route = createFileRoute('/_console/collections')({
  staticData: {
    nav: {
      label: 'Collections',
      icon: stack2Icon,
      order: 60,
      create: { label: 'New Collection', dialog: 'create-collection' },
    },
  },
  validateSearch: (search: { q?: string } & SearchSchemaInput) => ({ q: textParam(search.q, 200) }),
  search: { middlewares: [stripSearchParams({ q: '' })] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.collections.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Collections'),
  component: preloading(CollectionsPage, Collections),
});

function Collections() {
  const { q } = Route.useSearch();
  const navigate = Route.useNavigate();
  const { open } = useDialogs();
  return (
    <CollectionsPage
      query={q}
      onQueryChange={(query) => navigate({ search: { q: query }, replace: true, resetScroll: false })}
      onUpload={(collection) => open('import-documents', collection ? { collection } : {})}
    />
  );
}
