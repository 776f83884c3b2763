import { Title } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { lazyPart } from '#client/lib/lazy-part.ts';
import type { ConversationWithMessages } from '#shared/chat.ts';
import classes from './ask-page.module.css';
import { ListButton } from './list-button.tsx';

const ConversationMenu = lazy(() =>
  import('./conversation-menu.tsx').then((module) => ({ default: module.ConversationMenu })),
);

const NarrowList = lazyPart(async () => ({ default: (await import('./narrow-list.tsx')).NarrowList }));

interface ThreadHeadProps {
  /** Null: a new one, or one that is on its way. */
  conversation: ConversationWithMessages | null;
  title?: string | undefined;
  list: ReactNode;
  onGone: () => unknown;
}

/** What the conversation is called, what can be done with it, and on a narrow screen the way to the others. */
export function ThreadHead({ conversation, title, list, onGone }: ThreadHeadProps) {
  const name = title ?? conversation?.name ?? 'Ask Vector';
  return (
    <div className={classes['head']}>
      <Title order={1} tabIndex={-1} dir="auto" title={name} className={classes['title'] ?? ''}>
        {name}
      </Title>
      {conversation && (
        <Suspense>
          <ConversationMenu
            conversation={conversation}
            label="Actions for this conversation"
            size="md"
            onDeleted={onGone}
          />
        </Suspense>
      )}
      <div className={classes['narrow']}>
        <Suspense fallback={<ListButton aria-disabled />}>
          <NarrowList list={list} />
        </Suspense>
        {conversation && (
          <ButtonLink to="/ask-vector" variant="default" size="xs" px="xs" aria-label="New conversation">
            <Icon shape={plusIcon} size={18} />
          </ButtonLink>
        )}
      </div>
    </div>
  );
}
