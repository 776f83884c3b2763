import { createFileRoute, stripSearchParams, useMatch } from '@tanstack/react-router';
import { sparklesIcon } from '#client/components/display/icon-shapes.gen.ts';
import { askDefaults, askState, type ChangeAsk } from '#client/features/ask/ask-state.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { pageTitle } from '#client/lib/page-title.ts';
import { preloading } from '#client/lib/preloading.ts';
import { currentWorkspace } from '#client/lib/selection.ts';

const AskPage = lazyPage(() => import('#client/features/ask/ask-page.tsx'), 'AskPage');

/** With a conversation in the path or without: one page, which stays when the first answer begins a conversation. */
export const Route = createFileRoute('/_console/ask-vector')({
  staticData: { nav: { label: 'Ask Vector', icon: sparklesIcon, order: 40, letter: 'V' } },
  validateSearch: askState,
  search: { middlewares: [stripSearchParams(askDefaults)] },
  loader: async ({ context }) => {
    const workspace = currentWorkspace(await context.trpc.workspaces.list.ensureData());
    void context.trpc.chat.models.prefetch();
    if (!workspace) return;
    void context.trpc.collections.list.prefetch({ workspaceId: workspace.id });
    void context.trpc.conversations.list.prefetch({ workspaceId: workspace.id });
  },
  head: () => pageTitle('Ask Vector'),
  component: preloading(AskPage, Ask),
});

function Ask() {
  const state = Route.useSearch();
  const navigate = Route.useNavigate();
  const opened = useMatch({ from: '/_console/ask-vector/$conversation', shouldThrow: false });
  const conversation = opened?.params.conversation ?? null;
  const change: ChangeAsk = (next, options) => {
    const search = { ...state, ...next };
    const how = { search, replace: options?.replace ?? false, resetScroll: false };
    void (conversation === null
      ? navigate({ to: '/ask-vector', ...how })
      : navigate({ to: '/ask-vector/$conversation', params: { conversation }, ...how }));
  };
  return (
    <AskPage
      conversation={conversation}
      state={state}
      onChange={change}
      onOpen={(next, { keepsFocus = false } = {}) => {
        // The same screen goes on: it is no step to go back from.
        const how = { replace: keepsFocus, resetScroll: !keepsFocus, state: { keepsFocus } };
        const { model } = state;
        return next === null
          ? navigate({ to: '/ask-vector', search: { model }, ...how })
          : navigate({
              to: '/ask-vector/$conversation',
              params: { conversation: next },
              search: { model },
              ...how,
            });
      }}
    />
  );
}
