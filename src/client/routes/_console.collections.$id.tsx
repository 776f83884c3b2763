import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { useDialogs } from '#client/components/shell/dialogs-provider.tsx';
import {
  type ChangeCollection,
  collectionDefaults,
  collectionState,
} from '#client/features/collection/collection-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { idParam } from '#client/lib/search-params.ts';

const CollectionPage = lazyPage(
  () => import('#client/features/collection/collection-page.tsx'),
  'CollectionPage',
);

export const Route = createFileRoute('/_console/collections/$id')({
  params: { parse: ({ id }) => ({ id: idParam(id) }), stringify: ({ id }) => ({ id: String(id) }) },
  validateSearch: collectionState,
  search: { middlewares: [stripSearchParams(collectionDefaults)] },
  loader: async ({ context, params: { id } }) => {
    await context.trpc.collections.get.prefetch({ collection: id });
    return {
      name: context.trpc.collections.get.getData({ collection: id })?.name ?? 'Collection not found',
    };
  },
  head: ({ loaderData }) => pageTitle(loaderData?.name ?? 'Collection', 'Collections'),
  component: preloading(CollectionPage, CollectionDetail),
});

function CollectionDetail() {
  const { id } = Route.useParams();
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const { open } = useDialogs();
  // Another tab begins with nothing of the former one's.
  const change: ChangeCollection = (next, options) =>
    navigate({
      search: (previous) => (next.tab === undefined ? { ...previous, ...next } : next),
      replace: options?.replace ?? false,
      resetScroll: false,
    });
  return (
    <CollectionPage
      id={id}
      state={state}
      onChange={change}
      onUpload={(collection) => open('import-documents', { collection })}
      onEdit={(collection) => open('edit-collection', { collection })}
      onDeleted={() => void navigate({ to: '/collections' })}
    />
  );
}
