import { createFileRoute, type SearchSchemaInput, stripSearchParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import {
  type CollectionsState,
  collectionSorts,
  collectionsDefaults,
  collectionViews,
} from '#client/features/collections/collection-order.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { lazyPart } from '#client/lib/lazy-part.ts';
import { listPageMax } from '#client/lib/page-of.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { choiceParam, textParam, wholeParam } from '#client/lib/search-params.ts';
import { currentWorkspace } from '#client/lib/selection.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';

const CollectionsPage = lazyPage(
  () => import('#client/features/collections/collections-page.tsx'),
  'CollectionsPage',
);

/** Fetched after the page is painted. */
const UploadDialog = lazyPart(async () => ({
  default: (await import('#client/features/documents/upload-dialog.tsx')).UploadDialog,
}));

export const Route = createFileRoute('/_console/collections')({
  staticData: {
    nav: {
      label: 'Collections',
      icon: stack2Icon,
      order: 60,
      letter: 'C',
      create: { label: 'New Collection', dialog: 'create-collection' },
    },
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
  const { workspace } = useWorkspace();
  const [upload, setUpload] = useState<{ isOpen: boolean; collectionId: number | null }>({
    isOpen: false,
    collectionId: null,
  });
  const list = trpc.collections.list.useQuery(
    { workspaceId: workspace?.id ?? 0 },
    { enabled: workspace !== null },
  );
  return (
    <>
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
        onUpload={(collection) => setUpload({ isOpen: true, collectionId: collection?.id ?? null })}
      />
      <Suspense>
        <UploadDialog
          opened={upload.isOpen}
          collections={list.data ?? []}
          collectionId={upload.collectionId}
          onClose={() => setUpload({ ...upload, isOpen: false })}
        />
      </Suspense>
    </>
  );
}
