import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { plusIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { formatNumber } from '#client/lib/format.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { ChatModel, Conversation } from '#shared/chat.ts';
import { limits } from '#shared/limits.ts';
import classes from './conversation-list.module.css';
import { ConversationMenu } from './conversation-menu.tsx';
import { groupConversations } from './group-conversations.ts';
import { threadOf, useAskingThreads } from './questions.ts';

interface ConversationListProps {
  workspaceId: number;
  current: number | null;
  /** Goes along. */
  model: ChatModel;
  /** The one that is open is deleted. */
  onGone: () => Promise<void>;
}

const shownAtOnce = 40;

/** The reader's conversations about what is in the workspace, the one that went on last first. */
export function ConversationList({ workspaceId, current, model, onGone }: ConversationListProps) {
  // They may have gone on in another place, of which nobody else is told.
  const list = trpc.conversations.list.useQuery({ workspaceId }, { refetchOnMount: 'always' });
  const [most, setMost] = useState(shownAtOnce);
  const rows = list.data ?? [];
  return (
    <Stack gap="sm">
      <ButtonLink
        to="/ask-vector"
        search={{ model }}
        variant="default"
        justify="flex-start"
        leftSection={<Icon shape={plusIcon} />}
      >
        New conversation
      </ButtonLink>
      {list.isError && !list.data ? (
        <ErrorView error={list.error} title="Failed to fetch conversations" onRetry={list.refetch} />
      ) : !list.data ? (
        <ListSkeleton />
      ) : rows.length === 0 ? (
        <Text size="sm" c="dimmed" px="sm">
          What you ask is kept here, for you alone.
        </Text>
      ) : (
        <nav aria-label="Your conversations">
          {groupConversations(rows.slice(0, most), Date.now()).map(({ label, conversations }) => (
            <section key={label} aria-label={label}>
              <h2 className={classes['label']}>{label}</h2>
              <ul className={classes['rows']}>
                {conversations.map((conversation) => (
                  <Row
                    key={conversation.id}
                    conversation={conversation}
                    model={model}
                    onDeleted={() => (conversation.id === current ? onGone() : undefined)}
                  />
                ))}
              </ul>
            </section>
          ))}
        </nav>
      )}
      {rows.length > most && (
        <Button variant="subtle" size="xs" onClick={() => setMost(most + shownAtOnce)}>
          Show older ones ({formatNumber(rows.length - most)})
        </Button>
      )}
      {rows.length >= limits.conversationsPerOwnerMax && (
        <Text size="xs" c="dimmed" px="sm">
          The last {formatNumber(limits.conversationsPerOwnerMax)} are kept: a new one takes the place of the
          one that was used longest ago.
        </Text>
      )}
    </Stack>
  );
}

interface RowProps {
  conversation: Conversation;
  model: ChatModel;
  onDeleted: () => unknown;
}

function Row({ conversation, model, onDeleted }: RowProps) {
  const { id, name } = conversation;
  const isAsking = useAskingThreads().has(threadOf(id, 0));
  return (
    <li className={classes['row']}>
      <Link
        to="/ask-vector/$conversation"
        params={{ conversation: id }}
        search={{ model }}
        activeOptions={{ includeSearch: false }}
        className={classes['link'] ?? ''}
        resetScroll={false}
        dir="auto"
        title={name}
      >
        {name}
      </Link>
      {isAsking && <span className={classes['asking']} role="img" aria-label="is being answered" />}
      <ConversationMenu
        conversation={conversation}
        label={`Actions for ${name}`}
        size="sm"
        className={classes['menu'] ?? ''}
        onDeleted={onDeleted}
      />
    </li>
  );
}

function ListSkeleton() {
  return (
    <Stack gap="xs" aria-hidden="true" px="sm">
      {['80%', '60%', '90%', '70%'].map((width) => (
        <Skeleton key={width} height={16} width={width} />
      ))}
    </Stack>
  );
}
