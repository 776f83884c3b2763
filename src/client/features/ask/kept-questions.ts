import { isRecord } from '#client/lib/json.ts';
import { readForUser, writeForUser } from '#client/lib/user-storage.ts';
import type { Question } from './question.ts';

/** Questions without an answer in the record, kept by the tab: a page that is loaded anew would lose them. */
const storedAs = 'askQuestions';

export function keepQuestions(userId: number, questions: readonly Question[]): void {
  const open = questions.filter((question) => question.userId === userId && question.state !== 'answered');
  writeForUser(storedAs, userId, open.length > 0 ? open : undefined, 'tab');
}

export function hasKeptQuestions(userId: number): boolean {
  return readForUser(storedAs, userId, 'tab') !== undefined;
}

/** What was on its way then is `interrupted`. What cannot be read is left out. */
export function keptQuestions(userId: number): Question[] {
  const stored = readForUser(storedAs, userId, 'tab');
  if (!Array.isArray(stored)) return [];
  return stored
    .filter((each) => isQuestion(each, userId))
    .map((question) => (question.state === 'asking' ? { ...question, state: 'interrupted' } : question));
}

function isQuestion(value: unknown, userId: number): value is Question {
  if (!isRecord(value)) return false;
  const { key, thread, message, model, text, state, collections, sources, after, failure } = value;
  return (
    value['userId'] === userId &&
    [key, thread, message, model, text, state].every((each) => typeof each === 'string') &&
    typeof after === 'number' &&
    Array.isArray(collections) &&
    (sources === null || Array.isArray(sources)) &&
    (failure === null || isRecord(failure))
  );
}
