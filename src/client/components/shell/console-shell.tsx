import { useLocalStorage } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { laterPart } from '#client/lib/lazy-part.ts';
import classes from './console-shell.module.css';
import { InShell } from './in-shell.ts';
import { OfflineNote } from './offline-note.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

const MenuDrawer = laterPart(async () => ({ default: (await import('./menu-drawer.tsx')).MenuDrawer }));

/** The frame of every signed-in page: sidebar (a drawer on narrow screens), top bar, content. */
export function ConsoleShell({
  children,
  onOpenPalette,
}: {
  children: ReactNode;
  /** Called by the key and the top bar; stays the same. */
  onOpenPalette: () => void;
}) {
  useShortcuts(onOpenPalette);
  const [isCollapsed, setCollapsed] = useLocalStorage({
    key: 'sidebarCollapsed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const pathname = useLocation({ select: (location) => location.pathname });
  // The path the drawer was opened on: going anywhere closes it.
  const [drawerPath, setDrawerPath] = useState<string | null>(null);
  return (
    <div className={classes['shell']} data-collapsed={isCollapsed}>
      <div className={classes['rail']}>
        <Sidebar isCollapsed={isCollapsed} onToggle={() => setCollapsed(!isCollapsed)} />
      </div>
      <Suspense>
        <MenuDrawer isOpen={drawerPath === pathname} onClose={() => setDrawerPath(null)} />
      </Suspense>
      <div className={classes['column']}>
        <TopBar onOpenMenu={() => setDrawerPath(pathname)} onOpenPalette={onOpenPalette} />
        <OfflineNote />
        <main id="main" tabIndex={-1} className={classes['main']}>
          <InShell value={true}>{children}</InShell>
        </main>
      </div>
    </div>
  );
}
