import { createLazyFileRoute } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { CollectionsPage } from '#client/features/collections/collections-page.tsx';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';

/** Fetched after the page is painted. */
const UploadDialog = lazy(async () => ({
  default: (await import('#client/features/documents/upload-dialog.tsx')).UploadDialog,
}));

export const Route = createLazyFileRoute('/_console/collections')({ component: Collections });

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
