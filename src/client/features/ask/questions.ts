import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { ChatModel, ChatSource } from '#shared/chat.ts';
import { AskError, sendQuestion } from './send-question.ts';

/** Where a question belongs: to a conversation, or to the one that it begins in a workspace. */
export type Thread = `conversation ${number}` | `new in ${number}`;

/**
 * A question that is not yet, or not at all, in the record. They live outside of React: an answer goes on while the reader looks at other pages, and
 * what came of one that broke off is kept.
 */
export interface Question {
  key: string;
  userId: number;
  thread: Thread;
  message: string;
  collections: number[];
  model: ChatModel;
  /** `answered`: it is in the record too. */
  state: 'asking' | 'answered' | 'stopped' | 'failed';
  /** What was understood; null: not known yet, as the sources. */
  understood: string | null;
  sources: ChatSource[] | null;
  /** What came of the answer so far. */
  text: string;
  failure: Failure | null;
  /** Known once it is answered. */
  conversationId: number | null;
}

interface Failure {
  message: string;
  requestId: string | null;
  /** The model cannot be asked as it is. */
  isOfModel: boolean;
}

type NewQuestion = Pick<Question, 'userId' | 'thread' | 'message' | 'collections' | 'model'>;

interface Surroundings {
  /** Fetches the conversation with the answer. What it throws leaves the question as it is. */
  fetchKept: (conversationId: number) => Promise<void>;
  /** The answer is there, and its page is not. */
  onElsewhere: (conversationId: number) => void;
}

let questions: readonly Question[] = [];
const listeners = new Set<() => void>();
const stops = new Map<string, () => void>();
const shown = new Map<Thread, number>();

/** Asks from here on, whatever page the reader goes to. */
export async function ask(asked: NewQuestion, around: Surroundings): Promise<void> {
  const key = crypto.randomUUID();
  const stopping = new AbortController();
  stops.set(key, () => stopping.abort());
  const begun = { understood: null, sources: null, text: '', failure: null, conversationId: null };
  publish([...questions, { key, state: 'asking', ...asked, ...begun }]);
  try {
    const conversationId = await hear(key, asked, stopping.signal);
    await settle(key, { conversationId, thread: asked.thread }, around);
  } catch (error) {
    if (stopping.signal.aborted) update(key, { state: 'stopped' });
    else update(key, { state: 'failed', failure: toFailure(error) });
  } finally {
    stops.delete(key);
  }
}

/** Answers which conversation it is in. */
async function hear(key: string, asked: NewQuestion, signal: AbortSignal): Promise<number> {
  const { thread, message, collections, model } = asked;
  let text = '';
  for await (const event of sendQuestion(
    { message, collections, model, conversationId: idOf(thread) },
    signal,
  )) {
    if (event.event === 'sources')
      update(key, { understood: event.data.question, sources: event.data.sources });
    if (event.event === 'delta') {
      text += event.data.text;
      update(key, { text });
    }
    if (event.event === 'done') return event.data.conversation_id;
  }
  throw new Error('the answer ended without its end');
}

/** From here on the record has it; where that cannot be fetched now, it stays as it came. */
async function settle(
  key: string,
  { conversationId, thread }: { conversationId: number; thread: Thread },
  { fetchKept, onElsewhere }: Surroundings,
): Promise<void> {
  const isFetched = await fetchKept(conversationId).then(
    () => true,
    () => false,
  );
  // Somebody else has signed in meanwhile.
  if (!questions.some((question) => question.key === key)) return;
  const isHere = shown.has(thread) || shown.has(`conversation ${conversationId}`);
  if (!isHere) onElsewhere(conversationId);
  // The page of a new conversation takes it over.
  if (!isHere || (isFetched && idOf(thread) !== null)) dismiss(key);
  else update(key, { state: 'answered', conversationId });
}

function toFailure(error: unknown): Failure {
  const isRefusal = error instanceof AskError;
  return {
    message: error instanceof Error ? error.message : 'Something went wrong',
    requestId: isRefusal ? error.requestId : null,
    isOfModel: isRefusal && error.details.some(({ path }) => path === 'model'),
  };
}

function idOf(thread: Thread): number | null {
  const [kind, id] = [thread.slice(0, thread.lastIndexOf(' ')), thread.slice(thread.lastIndexOf(' ') + 1)];
  return kind === 'conversation' ? Number(id) : null;
}

export function threadOf(conversationId: number | null, workspaceId: number): Thread {
  return conversationId === null ? `new in ${workspaceId}` : `conversation ${conversationId}`;
}

/** What came until then stays. */
export function stop(key: string): void {
  stops.get(key)?.();
}

export function dismiss(key: string): void {
  stop(key);
  publish(questions.filter((question) => question.key !== key));
}

/** Of a thread that is on screen; whoever has signed in sees nothing of the one before. */
export function useQuestions(userId: number, thread: Thread): Question[] {
  const all = useSyncExternalStore(subscribe, () => questions);
  useEffect(() => {
    shown.set(thread, (shown.get(thread) ?? 0) + 1);
    return () => {
      const left = (shown.get(thread) ?? 1) - 1;
      if (left > 0) shown.set(thread, left);
      else shown.delete(thread);
    };
  }, [thread]);
  useEffect(() => {
    for (const question of questions) if (question.userId !== userId) dismiss(question.key);
  }, [userId]);
  return useMemo(
    () => all.filter((question) => question.userId === userId && question.thread === thread),
    [all, userId, thread],
  );
}

/** The conversations in which something is being answered. */
export function useAskingThreads(): ReadonlySet<Thread> {
  const all = useSyncExternalStore(subscribe, () => questions);
  return useMemo(
    () => new Set(all.filter(({ state }) => state === 'asking').map(({ thread }) => thread)),
    [all],
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function update(key: string, change: Partial<Question>): void {
  publish(questions.map((question) => (question.key === key ? { ...question, ...change } : question)));
}

function publish(next: readonly Question[]): void {
  questions = next;
  for (const listener of listeners) listener();
}
