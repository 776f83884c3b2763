import { Outlet, useRouter } from '@tanstack/react-router';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { SpinnerPage } from '#client/components/feedback/page-spinner.tsx';
import { ConsoleShell } from '#client/components/shell/console-shell.tsx';
import { DialogsProvider } from '#client/components/shell/dialogs-provider.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { laterPart } from '#client/lib/lazy-part.ts';
import { useLive } from '#client/lib/live/use-live.ts';
import { WorkspaceProvider } from '#client/lib/workspace-provider.tsx';

/** Fetched after the shell is painted: forms and their rules are half the weight of a first visit. */
const ConsoleDialogs = laterPart(async () => ({
  default: (await import('./-console-dialogs.tsx')).ConsoleDialogs,
}));

/** Fetched after the shell is painted, as is all that is dropped on a page. */
const ImportDock = laterPart(async () => ({
  default: (await import('#client/features/documents/import-dock.tsx')).ImportDock,
}));
const DropAnywhere = laterPart(async () => ({
  default: (await import('#client/features/documents/drop-anywhere.tsx')).DropAnywhere,
}));

/** Fetched ahead: when it is needed, the server may answer nothing else. */
const SignInAgain = laterPart(async () => ({
  default: (await import('#client/features/accounts/sign-in-again.tsx')).SignInAgain,
}));

const Palette = laterPart(async () => ({
  default: (await import('#client/features/palette/palette.tsx')).Palette,
}));

/** What stands around every page for signed-in users. */
export function Console() {
  const { isAuthenticated, isLoading, user, isLapsed } = useAuth();
  useLive(user?.id ?? null, isLapsed);
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const openPalette = useCallback(() => setPaletteOpen(true), []);
  // The router heard of the answer before what is rendered does.
  if (isLoading) return <SpinnerPage />;
  if (!isAuthenticated) return <Leave />;
  return (
    <WorkspaceProvider>
      <DialogsProvider>
        <ConsoleShell onOpenPalette={openPalette}>
          <Outlet />
        </ConsoleShell>
        <Suspense>
          <ConsoleDialogs />
        </Suspense>
        <Suspense>
          <Palette opened={isPaletteOpen} onClose={() => setPaletteOpen(false)} />
        </Suspense>
        <Suspense>
          <SignInAgain />
        </Suspense>
        <Suspense>
          <ImportDock />
          <DropAnywhere />
        </Suspense>
      </DialogsProvider>
    </WorkspaceProvider>
  );
}

/** The session ended on this page: by a logout, or because the server no longer knows it. */
function Leave() {
  const { hasLoggedOut } = useAuth();
  const router = useRouter();
  const [href] = useState(router.state.location.href);
  useEffect(() => {
    void router.navigate(
      hasLoggedOut ? { to: '/login', replace: true } : { to: '/', search: { redirect: href }, replace: true },
    );
  }, [router, hasLoggedOut, href]);
  return <SpinnerPage />;
}
