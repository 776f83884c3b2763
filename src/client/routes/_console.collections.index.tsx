import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import {
  type CollectionsState,
  collectionSorts,
  collectionsDefaults,
  collectionViews,
} from '#client/features/collections/collection-order.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { listPageMax } from '#client/lib/page-of.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { choiceParam, textParam, wholeParam } from '#client/lib/search-params.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

const CollectionsPage = lazyPage(
  () => import('#client/features/collections/collections-page.tsx'),
  'CollectionsPage',
);

export const Route = createFileRoute('/_console/collections/')({
  staticData: {
    nav: {
      label: 'Collections',
      icon: stack2Icon,
      order: 60,
      letter: 'C',
      create: { label: 'New Collection', dialog: 'create-collection' },
    },
    ahead: ({ trpc }, { workspaceId }) => void trpc.collections.list.prefetch({ workspaceId }),
  },
  validateSearch: (search: Partial<CollectionsState> & SearchSchemaInput): CollectionsState => ({
    q: textParam(search.q, 200),
    sort: choiceParam(search.sort, collectionSorts, collectionsDefaults.sort),
    view: choiceParam(search.view, collectionViews, collectionsDefaults.view),
    page: wholeParam(search.page, { min: 1, max: listPageMax, fallback: 1 }),
  }),
  search: { middlewares: [stripSearchParams(collectionsDefaults)] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.collections.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Collections'),
  component: preloading(CollectionsPage, Collections),
});

function Collections() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const { open } = useDialogs();
  return (
    <CollectionsPage
      state={state}
      // Typing replaces, everything else can be gone back from; another page begins at its top.
      onChange={(change) =>
        navigate({
          search: { ...state, ...change },
          replace: change.q !== undefined,
          resetScroll: change.page !== undefined && change.q === undefined,
        })
      }
      onUpload={(collection) => open('import-documents', collection ? { collection } : {})}
    />
  );
}
