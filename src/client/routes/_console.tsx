import { createFileRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { SpinnerPage } from '#client/components/feedback/page-spinner.tsx';

/** Every page for signed-in users: nobody else gets past, and the page that was asked for is remembered. */
export const Route = createFileRoute('/_console')({
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.trpc.auth.me.ensureData();
    if (!user) throw redirect({ to: '/', search: { redirect: location.href }, replace: true });
  },
  loader: ({ context }) => context.trpc.workspaces.list.ensureData(),
  pendingMs: 0,
  pendingComponent: SpinnerPage,
  component: lazyRouteComponent(() => import('./-console.tsx'), 'Console'),
});
