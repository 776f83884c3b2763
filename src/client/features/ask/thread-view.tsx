import { Skeleton, Stack } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Icon } from '#client/components/display/icon.tsx';
import { arrowLeftIcon, messagesIcon } from '#client/components/display/icon-shapes.gen.ts';
import { ButtonLink } from '#client/components/display/links.tsx';
import { EmptyState } from '#client/components/feedback/empty-state.tsx';
import { ErrorView } from '#client/components/feedback/error-view.tsx';
import { NoCollections } from '#client/components/feedback/no-collections.tsx';
import { isNotFound } from '#client/lib/error-message.ts';
import { trpc } from '#client/lib/trpc.ts';
import type { ConversationWithMessages } from '#shared/chat.ts';
import classes from './ask-page.module.css';
import { type AskState, type ChangeAsk, sourceText } from './ask-state.ts';
import { BeforeQuestions } from './before-questions.tsx';
import { Composer } from './composer.tsx';
import { conversationInput } from './conversation-input.ts';
import { putIntoDraft } from './drafts.ts';
import { useOtherTabs } from './other-tabs.ts';
import type { Question } from './question.ts';
import { dismiss, stop, threadOf } from './questions.ts';
import { Said } from './said.tsx';
import { ThreadHead } from './thread-head.tsx';
import { Turns } from './turns.tsx';
import { useAsk } from './use-ask.ts';
import { useAskable } from './use-askable.ts';
import { useFollowEnd } from './use-follow-end.ts';
import { useNewestId, useOpenQuestions } from './use-open-questions.ts';

/** Fetched beside what was asked. */
const SourcePanel = lazy(() =>
  import('./source-panel.tsx').then((module) => ({ default: module.SourcePanel })),
);

interface ThreadViewProps {
  conversation: number | null;
  workspaceId: number;
  userId: number;
  state: AskState;
  onChange: ChangeAsk;
  onOpen: (conversation: number | null, options?: { keepsFocus?: boolean }) => Promise<void>;
  /** The conversations, for a narrow screen. */
  list: ReactNode;
}

/** A conversation, or what comes before it. */
export function ThreadView(props: ThreadViewProps) {
  const { conversation: id, list, onOpen } = props;
  useOtherTabs();
  const query = trpc.conversations.get.useQuery(conversationInput(id ?? 0), { enabled: id !== null });
  const conversation = id === null ? null : (query.data ?? null);
  const isGone = id !== null && query.isError && isNotFound(query.error);
  return (
    <section aria-label="Questions and answers" className={classes['thread']}>
      <ThreadHead
        conversation={conversation}
        title={isGone ? 'Conversation not found' : undefined}
        list={list}
        onGone={() => onOpen(null)}
      />
      {isGone ? (
        <NoConversation />
      ) : id !== null && query.isError ? (
        <ErrorView error={query.error} title="Failed to fetch conversation" onRetry={query.refetch} />
      ) : id !== null && !conversation ? (
        <ThreadSkeleton />
      ) : (
        <Thread {...props} conversation={conversation} />
      )}
    </section>
  );
}

function NoConversation() {
  return (
    <EmptyState
      icon={messagesIcon}
      title="There is no such conversation"
      description="It may have been deleted, or it is somebody else’s: conversations are seen by whoever began them alone. They are kept for 90 days."
    >
      <ButtonLink to="/ask-vector" leftSection={<Icon shape={arrowLeftIcon} />}>
        New conversation
      </ButtonLink>
    </EmptyState>
  );
}

function ThreadSkeleton() {
  return (
    <Stack aria-hidden="true" gap="lg">
      <Skeleton height={44} width="55%" ml="auto" radius="lg" />
      <Skeleton height={96} radius="lg" />
    </Stack>
  );
}

type LoadedProps = Omit<ThreadViewProps, 'conversation'> & { conversation: ConversationWithMessages | null };

function Thread(props: LoadedProps) {
  const { conversation, workspaceId, userId, state, onChange, onOpen } = props;
  const thread = threadOf(conversation?.id ?? null, workspaceId);
  const questions = useOpenQuestions({ userId, workspaceId, thread, conversation });
  const { askable, error, retry } = useAskable(conversation, state.collections);
  const sendQuestion = useAsk();
  const newestId = useNewestId(workspaceId, conversation);
  useTakeOver(conversation === null ? questions : [], onOpen);
  const messages = conversation?.messages ?? [];
  const asking = questions.find((question) => question.state === 'asking');
  useFollowEnd({
    opened: thread,
    length: messages.length + questions.reduce((sum, { text }) => sum + text.length + 1, 0),
    asked: asking?.key ?? null,
  });
  if (error) return <ErrorView error={error} title="Failed to fetch collections" onRetry={retry} />;
  if (!askable) return <ThreadSkeleton />;
  if (conversation === null && askable.inProject.length === 0)
    return (
      <NoCollections
        title="Nothing to ask yet"
        {...(askable.projectId !== null && { projectId: askable.projectId })}
      />
    );
  const send = (message: string, change: Partial<Pick<Question, 'collections' | 'model'>> = {}) => {
    const collections = askable.chosen.map(({ id }) => id);
    const after = newestId();
    sendQuestion({ userId, thread, message, collections, model: state.model, after, ...change });
  };
  const place = { userId, thread };
  return (
    <>
      {messages.length + questions.length === 0 ? (
        <BeforeQuestions askable={askable} onAsk={send} />
      ) : (
        <Turns
          messages={messages}
          questions={questions}
          askable={askable}
          isWaiting={asking !== undefined}
          onAsk={send}
          onEdit={(message) => putIntoDraft(place, message)}
          onOpenSource={(source) => onChange({ source: sourceText(source) })}
        />
      )}
      <Said questions={questions} messages={messages} />
      <Composer
        place={place}
        askable={askable}
        isProjectFixed={conversation !== null}
        messageCount={messages.length}
        state={state}
        onChange={onChange}
        onAsk={send}
        onStop={asking ? () => stop(asking.key) : null}
      />
      <Suspense>
        <SourcePanel
          source={state.source}
          messages={messages}
          onClose={() => onChange({ source: undefined }, { replace: true })}
        />
      </Suspense>
    </>
  );
}

/** A conversation that was begun here is opened in the place of this page, where the reader stays. */
function useTakeOver(questions: Question[], onOpen: ThreadViewProps['onOpen']): void {
  const begun = questions.find(({ state }) => state === 'answered');
  const id = begun?.conversationId ?? null;
  const key = begun?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that was begun
  useEffect(() => {
    if (id !== null && key !== undefined) void onOpen(id, { keepsFocus: true }).then(() => dismiss(key));
  }, [id, key]);
}
