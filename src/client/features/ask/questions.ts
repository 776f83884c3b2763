import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { hasKeptQuestions, keepQuestions, keptQuestions } from './kept-questions.ts';
import type { Failure, NewQuestion, Question, Thread } from './question.ts';
import { AskError, sendQuestion } from './send-question.ts';

interface Surroundings {
  /** Fetches the conversation with the answer. What it throws leaves the question as it is. */
  fetchKept: (conversationId: number) => Promise<void>;
  /** The answer is there, and its page is not. */
  onElsewhere: (conversationId: number) => void;
}

let questions: readonly Question[] = [];
/** Whose questions of before the page was loaded anew are among them. */
let broughtBackFor: number | null = null;
const listeners = new Set<() => void>();
const stops = new Map<string, () => void>();
const shown = new Map<Thread, number>();

/** Browsers of phones have the second alone. */
const leavingEvents = ['beforeunload', 'pagehide'];

/** Asks from here on, whatever page the reader goes to. */
export async function ask(asked: NewQuestion, around: Surroundings): Promise<void> {
  const key = crypto.randomUUID();
  const stopping = new AbortController();
  stops.set(key, () => stopping.abort());
  const begun = { understood: null, sources: null, text: '', failure: null, conversationId: null };
  publish([...questions, { key, state: 'asking', ...asked, ...begun }]);
  keepQuestions(asked.userId, questions);
  // Whoever has signed out meanwhile leaves nothing behind.
  const keep = () => hasKeptQuestions(asked.userId) && keepQuestions(asked.userId, questions);
  // The browser may give the request up before the page is gone, or after.
  let isLeaving = false;
  const leave = () => {
    isLeaving = true;
    keep();
  };
  for (const event of leavingEvents) window.addEventListener(event, leave);
  try {
    const conversationId = await hear(key, asked, stopping.signal);
    await settle(key, { conversationId, thread: asked.thread }, around);
  } catch (error) {
    if (stopping.signal.aborted) update(key, { state: 'stopped' });
    else if (isLeaving) update(key, { state: 'interrupted' });
    else update(key, { state: 'failed', failure: toFailure(error) });
  } finally {
    stops.delete(key);
    for (const event of leavingEvents) window.removeEventListener(event, leave);
    keep();
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
  const dismissed = questions.find((question) => question.key === key);
  publish(questions.filter((question) => question !== dismissed));
  if (dismissed) keepQuestions(dismissed.userId, questions);
}

/** Of one that was interrupted: its answer is found in the record. */
export function findAnswered(key: string, conversationId: number): void {
  update(key, { state: 'answered', conversationId });
}

/** Of a thread that is on screen; whoever has signed in sees nothing of the one before. */
export function useQuestions(userId: number, thread: Thread): Question[] {
  const all = useSyncExternalStore(subscribe, () => questionsFor(userId));
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

function questionsFor(userId: number): readonly Question[] {
  if (broughtBackFor === userId) return questions;
  broughtBackFor = userId;
  const known = new Set(questions.map(({ key }) => key));
  questions = [...keptQuestions(userId).filter(({ key }) => !known.has(key)), ...questions];
  return questions;
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
