import { ActionIcon, Menu } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { dotsIcon, pencilIcon, trashIcon } from '#client/components/display/icon-shapes.gen.ts';
import type { Conversation } from '#shared/chat.ts';
import { useDeleteConversation } from './use-delete-conversation.ts';

const RenameConversationDialog = lazy(() =>
  import('./rename-conversation-dialog.tsx').then((module) => ({ default: module.RenameConversationDialog })),
);

interface ConversationMenuProps {
  conversation: Conversation;
  label: string;
  size: 'sm' | 'md';
  className?: string;
  /** Before it is said that it is deleted. */
  onDeleted: () => unknown;
}

/** What can be done with a conversation. */
export function ConversationMenu({ conversation, label, onDeleted, ...button }: ConversationMenuProps) {
  const [isRenaming, setRenaming] = useState(false);
  const [hasRenamed, setHasRenamed] = useState(false);
  const remove = useDeleteConversation(onDeleted);
  const rename = () => {
    setRenaming(true);
    setHasRenamed(true);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon aria-label={label} {...button}>
            <Icon shape={dotsIcon} size={button.size === 'sm' ? 16 : 20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<Icon shape={pencilIcon} />} onClick={rename}>
            Rename
          </Menu.Item>
          <Menu.Item
            color="red"
            leftSection={<Icon shape={trashIcon} />}
            onClick={() => remove(conversation.id)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {hasRenamed && (
        <Suspense>
          <RenameConversationDialog
            conversation={isRenaming ? conversation : null}
            onClose={() => setRenaming(false)}
          />
        </Suspense>
      )}
    </>
  );
}
