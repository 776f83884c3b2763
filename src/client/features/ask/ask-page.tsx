import { Skeleton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { NoWorkspace } from '#client/components/feedback/no-workspace.tsx';
import { PageSpinner } from '#client/components/feedback/page-spinner.tsx';
import { useAuth } from '#client/lib/auth-provider.tsx';
import { useWorkspace } from '#client/lib/workspace-provider.tsx';
import classes from './ask-page.module.css';
import type { AskState, ChangeAsk } from './ask-state.ts';
import { ThreadView } from './thread-view.tsx';

/** Fetched beside what is asked here. */
const ConversationList = lazy(() =>
  import('./conversation-list.tsx').then((module) => ({ default: module.ConversationList })),
);

interface AskPageProps {
  /** As it stands in the address; 0 for what cannot be an id, null for a new one. */
  conversation: number | null;
  state: AskState;
  onChange: ChangeAsk;
  /** Null: a new one. Resolves when it is there. `keepsFocus`: the same screen goes on. */
  onOpen: (conversation: number | null, options?: { keepsFocus?: boolean }) => Promise<void>;
}

/** 'Ask Vector': questions answered from the documents of collections, and the conversations that there were. */
export function AskPage({ conversation, state, onChange, onOpen }: AskPageProps) {
  const { workspace, isLoading } = useWorkspace();
  const { user } = useAuth();
  if (!workspace || !user)
    return (
      <>
        <VisuallyHidden component="h1" tabIndex={-1}>
          Ask Vector
        </VisuallyHidden>
        {isLoading || !user ? <PageSpinner /> : <NoWorkspace />}
      </>
    );
  const list = (
    <Suspense fallback={<Skeleton height={36} />}>
      <ConversationList
        workspaceId={workspace.id}
        current={conversation}
        model={state.model}
        onGone={() => onOpen(null)}
      />
    </Suspense>
  );
  return (
    <div className={classes['page']}>
      <aside aria-label="Conversations" className={classes['aside']}>
        {list}
      </aside>
      <ThreadView
        conversation={conversation}
        workspaceId={workspace.id}
        userId={user.id}
        state={state}
        onChange={onChange}
        onOpen={onOpen}
        list={list}
      />
    </div>
  );
}
