import {
  createFileRoute,
  lazyRouteComponent,
  type SearchSchemaInput,
  stripSearchParams,
} from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { stack2Icon } from '#client/components/display/icon-shapes.gen.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { textParam } from '#client/lib/search-params.ts';
import { currentWorkspace } from '#client/lib/selection.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';

const CollectionsPage = lazyRouteComponent(
  () => import('#client/features/collections/collections-page.tsx'),
  'CollectionsPage',
);

/** Fetched after the page is painted. */
const UploadDialog = lazy(async () => ({
  default: (await import('#client/features/documents/upload-dialog.tsx')).UploadDialog,
}));

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
        query={q}
        onQueryChange={(query) => navigate({ search: { q: query }, replace: true, resetScroll: false })}
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
