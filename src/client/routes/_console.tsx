import { createFileRoute, redirect } from '@tanstack/react-router';
import { SpinnerPage } from '#client/components/feedback/page-spinner.tsx';
import { chosen } from '#client/lib/chosen.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';
import { readSelection } from '#client/lib/selection.ts';

/** Every page for signed-in users: nobody else gets past, and the page that was asked for is remembered. */
export const Route = createFileRoute('/_console')({
  beforeLoad: async ({ context: { trpc }, location }) => {
    const me = trpc.auth.me.ensureData();
    // In the same request, for who was here before: what every page needs next.
    const { workspaceId } = readSelection();
    if (workspaceId !== null && !trpc.workspaces.list.getData()) {
      void trpc.workspaces.list.prefetch();
      void trpc.projects.list.prefetch({ workspaceId });
    }
    const { user } = await me;
    if (!user) throw redirect({ to: '/', search: { redirect: location.href }, replace: true });
  },
  loader: ({ context }) => chosen(context.trpc).then(() => undefined),
  pendingMs: 0,
  // The router's own would hold a page that is there back until the spinner has been shown for half a second.
  pendingMinMs: 0,
  pendingComponent: SpinnerPage,
  component: lazyPage(() => import('./-console.tsx'), 'Console'),
});
