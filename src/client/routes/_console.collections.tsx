import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { CollectionsPage } from '#client/features/collections/collections-page.tsx';
import { UploadDialog } from '#client/features/documents/upload-dialog.tsx';
import { pageTitle } from '#client/lib/page-title.ts';
import { currentWorkspace } from '#client/lib/selection.ts';
import { trpc } from '#client/lib/trpc.ts';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';

const search = z.object({ q: z.string().max(200).catch('').default('') });

export const Route = createFileRoute('/_console/collections')({
  validateSearch: search,
  search: { middlewares: [stripSearchParams({ q: '' })] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.collections.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Collections'),
  component: Collections,
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
      <UploadDialog
        opened={upload.isOpen}
        collections={list.data ?? []}
        collectionId={upload.collectionId}
        onClose={() => setUpload({ ...upload, isOpen: false })}
      />
    </>
  );
}
