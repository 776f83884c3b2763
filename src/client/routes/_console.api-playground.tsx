import { createFileRoute, stripSearchParams } from '@tanstack/react-router';
import { codeIcon } from '#client/components/display/icon-shapes.gen.ts';
import { playgroundDefaults, playgroundState } from '#client/features/playground/playground-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

const PlaygroundPage = lazyPage(
  () => import('#client/features/playground/playground-page.tsx'),
  'PlaygroundPage',
);

export const Route = createFileRoute('/_console/api-playground')({
  staticData: { nav: { label: 'API Playground', icon: codeIcon, order: 50, letter: 'A' } },
  validateSearch: playgroundState,
  search: { middlewares: [stripSearchParams(playgroundDefaults)] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    if (workspace) void context.trpc.collections.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('API Playground'),
  component: preloading(PlaygroundPage, Playground),
});

function Playground() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <PlaygroundPage
      state={state}
      onChange={(change) =>
        navigate({ search: (previous) => ({ ...previous, ...change }), resetScroll: false })
      }
    />
  );
}
