import { createFileRoute, Navigate, Outlet, redirect, useLocation } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { ConsoleShell } from '../components/console-shell.tsx';
import { CreateDialogsProvider } from '../components/create-dialogs.tsx';
import { useAuth } from '../lib/auth-provider.tsx';
import { WorkspaceProvider } from '../lib/workspace-provider.tsx';

/** Fetched after the shell is painted: forms and their rules are half the weight of a first visit. */
const ConsoleDialogs = lazy(async () => ({
  default: (await import('./-console-dialogs.tsx')).ConsoleDialogs,
}));

/** Every page for signed-in users: nobody else gets past, and the page that was asked for is remembered. */
export const Route = createFileRoute('/_console')({
  beforeLoad: async ({ context, location }) => {
    const { user } = await context.trpc.auth.me.ensureData();
    if (!user) throw redirect({ to: '/', search: { redirect: location.href }, replace: true });
  },
  loader: ({ context }) => context.trpc.workspaces.list.ensureData(),
  pendingMs: 0,
  component: Console,
});

function Console() {
  const { isAuthenticated, hasLoggedOut } = useAuth();
  const href = useLocation({ select: (location) => location.href });
  if (!isAuthenticated) {
    return hasLoggedOut ? (
      <Navigate to="/login" replace />
    ) : (
      <Navigate to="/" search={{ redirect: href }} replace />
    );
  }
  return (
    <WorkspaceProvider>
      <CreateDialogsProvider>
        <ConsoleShell>
          <Outlet />
        </ConsoleShell>
        <Suspense>
          <ConsoleDialogs />
        </Suspense>
      </CreateDialogsProvider>
    </WorkspaceProvider>
  );
}
