import { Drawer } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ListButton } from './list-button.tsx';

/** Going anywhere closes it. */
export function NarrowList({ list }: { list: ReactNode }) {
  const pathname = useLocation({ select: (location) => location.pathname });
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  return (
    <>
      <ListButton onClick={() => setOpenedOn(pathname)} />
      <Drawer.Root
        opened={openedOn === pathname}
        onClose={() => setOpenedOn(null)}
        position="right"
        size="20rem"
        padding="md"
      >
        <Drawer.Overlay backgroundOpacity={0.15} />
        <Drawer.Content aria-label="Conversations">
          <Drawer.Header>
            <Drawer.Title>Conversations</Drawer.Title>
            <Drawer.CloseButton aria-label="Close conversations" />
          </Drawer.Header>
          <Drawer.Body>{list}</Drawer.Body>
        </Drawer.Content>
      </Drawer.Root>
    </>
  );
}
