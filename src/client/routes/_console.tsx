import { createFileRoute, redirect } from '@tanstack/react-router';
import { SpinnerPage } from '#client/components/feedback/page-spinner.tsx';
import { chosen } from '#client/lib/chosen.ts';
import { lazyPage } from '#client/lib/lazy-page.ts';

/** Every page for signed-in users: nobody else gets past, and the page that was asked for is remembered. */
export const Route = createFileRoute('/_console')({
  staticData: {
    ahead: ({ trpc }, { workspaceId }) => {
      void trpc.auth.me.prefetch();
      void trpc.workspaces.list.prefetch();
      void trpc.projects.list.prefetch({ workspaceId });
    },
  },
  beforeLoad: async ({ context: { trpc }, location }) => {
    const { user } = await trpc.auth.me.ensureData();
    if (!user) throw redirect({ to: '/', search: { redirect: location.href }, replace: true });
  },
  loader: ({ context }) => chosen(context.trpc).then(() => undefined),
  pendingMs: 0,
  // The router's own would hold a page that is there back until the spinner has been shown for half a second.
  pendingMinMs: 0,
  pendingComponent: SpinnerPage,
  component: lazyPage(() => import('./-console.tsx'), 'Console'),
});
