import { useEffect } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import type { Conversation, ConversationMessage, ConversationWithMessages } from '#shared/chat.ts';
import type { Question, Thread } from './question.ts';
import { dismiss, findAnswered, useQuestions } from './questions.ts';

interface OpenThread {
  userId: number;
  workspaceId: number;
  thread: Thread;
  /** Null: a new one. */
  conversation: ConversationWithMessages | null;
}

/** The questions of a thread that are not in the record. One that was interrupted may have been answered all the same: then it is looked for there. */
export function useOpenQuestions({ userId, workspaceId, thread, conversation }: OpenThread): Question[] {
  const questions = useQuestions(userId, thread);
  const interrupted = questions.filter(({ state }) => state === 'interrupted');
  const isLookedFor = conversation === null && interrupted.length > 0;
  const list = trpc.conversations.list.useQuery({ workspaceId }, { enabled: isLookedFor });
  const answered = interrupted.filter((question) =>
    conversation === null ? begunBy(question, list.data) : isAskedIn(question, conversation.messages),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each that is found
  useEffect(() => {
    for (const question of answered) {
      const begun = begunBy(question, list.data);
      if (conversation === null && begun) findAnswered(question.key, begun.id);
      else dismiss(question.key);
    }
  }, [answered.map(({ key }) => key).join(' ')]);
  return questions.filter((question) => !answered.includes(question));
}

function isAskedIn({ message, after }: Question, messages: ConversationMessage[]): boolean {
  return messages.some(({ id, role, content }) => role === 'user' && id > after && content === message);
}

/** A conversation is called what was asked first, or the beginning of it. */
function begunBy({ message, after }: Question, conversations: Conversation[] = []): Conversation | undefined {
  const asked = message.replaceAll(/\p{Cc}+/gu, ' ');
  return conversations.find(({ id, name }) => id > after && asked.startsWith(name.replace(/…$/, '')));
}

/** The newest id of what is there: of the conversation's messages, or of all conversations before a new one; beyond all where these are not known. */
export function useNewestId(
  workspaceId: number,
  conversation: ConversationWithMessages | null,
): () => number {
  const utils = trpc.useUtils();
  return () => {
    const rows = conversation?.messages ?? utils.conversations.list.getData({ workspaceId });
    return rows ? Math.max(0, ...rows.map(({ id }) => id)) : Number.MAX_SAFE_INTEGER;
  };
}
