import { Drawer } from '@mantine/core';
import { Sidebar } from './sidebar.tsx';

/** The sidebar of a narrow screen, which has no room beside the page. */
export function MenuDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} size="16rem" padding={0}>
      <Drawer.Overlay />
      <Drawer.Content aria-label="Menu">
        <Sidebar isCollapsed={false} />
      </Drawer.Content>
    </Drawer.Root>
  );
}
