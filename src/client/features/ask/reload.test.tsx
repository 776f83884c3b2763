import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { forgetUsers } from '#client/lib/user-storage.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import { hasKeptQuestions, keepQuestions, keptQuestions } from './kept-questions.ts';
import type { Question } from './question.ts';

/** What a tab keeps of its questions while it loads the page anew. */

const asked: Question = {
  key: 'first',
  userId: ada.id,
  thread: 'new in 1',
  message: 'What is Solaris?',
  collections: [1],
  model: 'vector-ai',
  after: 11,
  state: 'asking',
  understood: null,
  sources: null,
  text: 'Solaris is a fi',
  failure: null,
  conversationId: null,
};
const times = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' };
const conversation = { id: 12, name: 'What is Solaris?', projectId: 1, messageCount: 2, ...times };

it('one that was on its way is interrupted; those with an answer, of others, or that cannot be read are not there', () => {
  keepQuestions(ada.id, [
    asked,
    { ...asked, key: 'second', state: 'failed' },
    { ...asked, key: 'third', state: 'answered' },
    { ...asked, key: 'fourth', userId: ada.id + 1 },
  ]);
  expect(keptQuestions(ada.id)).toEqual([
    { ...asked, state: 'interrupted' },
    { ...asked, key: 'second', state: 'failed' },
  ]);
  expect(keptQuestions(ada.id + 1)).toEqual([]);
  const [key = ''] = Object.keys(sessionStorage);
  sessionStorage.setItem(key, JSON.stringify([{ ...asked, message: 1 }, null, 'text']));
  expect(keptQuestions(ada.id)).toEqual([]);
});

it('nothing is left of whoever signs out', () => {
  keepQuestions(ada.id, [asked]);
  expect(hasKeptQuestions(ada.id)).toBe(true);
  forgetUsers();
  expect(sessionStorage).toHaveLength(0);
});

it('a question whose answer was written down meanwhile leads to it', async () => {
  // Once a page's life what a user has kept is brought back: other files have opened it as Ada.
  const eve = { ...ada, id: 7 };
  keepQuestions(eve.id, [{ ...asked, userId: eve.id, text: '' }]);
  serveConsole(eve, {
    'collections.list': () => [collectionRow(1, 'films', 3)],
    'chat.models': () => [{ model: 'vector-ai', needs: null }],
    'chat.suggestions': () => [],
    'conversations.list': () => [conversation, { ...conversation, id: 11 }],
    'conversations.get': () => ({
      ...conversation,
      messages: [{ id: 1, role: 'user', content: 'as kept', ...times }],
    }),
  });
  const { router } = renderConsole('/ask-vector');
  await waitFor(() => expect(router.state.location.pathname).toBe('/ask-vector/12'));
  expect(await screen.findByText('as kept')).toBeDefined();
  await waitFor(() => expect(hasKeptQuestions(eve.id)).toBe(false));
  await userEvent.type(await screen.findByRole('textbox', { name: 'Message' }), 'And who made it');
  expect(Object.values({ ...sessionStorage })).toEqual([JSON.stringify('And who made it')]);
});
