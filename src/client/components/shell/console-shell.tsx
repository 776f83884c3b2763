import { Drawer } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import classes from './console-shell.module.css';
import { InShell } from './in-shell.ts';
import { OfflineNote } from './offline-note.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { useShortcuts } from './use-shortcuts.ts';

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
      <Drawer.Root
        opened={drawerPath === pathname}
        onClose={() => setDrawerPath(null)}
        size="16rem"
        padding={0}
      >
        <Drawer.Overlay />
        <Drawer.Content aria-label="Menu">
          <Sidebar isCollapsed={false} />
        </Drawer.Content>
      </Drawer.Root>
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
