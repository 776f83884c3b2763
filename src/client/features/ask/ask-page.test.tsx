import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Answers } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { ChatAnswer, ChatEvent, ChatSource } from '#shared/chat.ts';

/** What a browser at a quick server does not show: answers that take their time, and connections that break. */

const source: ChatSource = {
  id: 'solaris',
  title: 'Solaris',
  snippet: 'Solaris is a film.',
  score: 1,
  collection: { id: 1, name: 'films' },
};
const answer: ChatAnswer = {
  answer: 'Solaris is a film. [1]',
  answered: true,
  collections: [source.collection],
  conversation_id: 12,
  conversation_token: null,
  model: 'vector-ai',
  question: 'What is Solaris?',
  sources: [source],
  sentences: [
    { start: 0, end: 18, supported: true, citations: [{ source: 1, field: 'text', start: 0, end: 18 }] },
  ],
  took_ms: 1,
};
const times = { createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' };
const conversation = { id: 12, name: 'What is Solaris?', projectId: 1, messageCount: 2, ...times };

/** The console with a chat that the test lets speak. */
function open(address = '/ask-vector', more: Answers = {}) {
  serveConsole(ada, {
    'collections.list': () => [collectionRow(1, 'films', 3)],
    'chat.models': () => [{ model: 'vector-ai', needs: null }],
    'chat.suggestions': () => [],
    'conversations.list': () => [conversation],
    'conversations.get': () => {
      const {
        answer: content,
        conversation_id: _,
        conversation_token: _token,
        took_ms: _took,
        ...told
      } = answer;
      const said = { id: 2, role: 'assistant', content, ...told, stale: false, staleSources: [] };
      const asked = { id: 1, role: 'user', content: answer.question, createdAt: times.createdAt };
      return { ...conversation, messages: [asked, { ...said, createdAt: times.createdAt }] };
    },
    ...more,
  });
  const questions: { body: unknown; chat: ReadableStreamDefaultController<Uint8Array> }[] = [];
  const trpcFetch = globalThis.fetch;
  const begin = async (init: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start(chat) {
        questions.push({ body: JSON.parse(String(init.body)), chat });
        init.signal?.addEventListener('abort', () => chat.error(init.signal?.reason));
      },
    });
    return { ok: true, status: 200, body };
  };
  vi.stubGlobal('fetch', (url: string | URL, init: RequestInit = {}) =>
    String(url) === '/api/chat' ? begin(init) : trpcFetch(url, init),
  );
  const say = ({ event, data }: ChatEvent) =>
    questions
      .at(-1)
      ?.chat.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  const finish = () => {
    say({ event: 'delta', data: { text: answer.answer } });
    say({ event: 'done', data: answer });
  };
  return { ...renderConsole(address), questions, say, finish };
}

const field = () => screen.findByRole('textbox', { name: 'Message' });
async function ask(): Promise<void> {
  await userEvent.type(await field(), 'What is Solaris?{Enter}');
}
const begun: ChatEvent = { event: 'sources', data: { question: answer.question, sources: [source] } };

it('says what it does, takes no further question meanwhile, and keeps what came when it is stopped', async () => {
  const { questions, say } = open();
  await ask();
  expect(await screen.findByText('Looking through the documents…', { selector: 'p' })).toBeDefined();
  expect((await field()).hasAttribute('disabled')).toBe(true);
  expect(questions[0]?.body).toEqual({
    message: 'What is Solaris?',
    collections: ['1'],
    model: 'vector-ai',
    conversation_id: null,
  });
  say(begun);
  expect(await screen.findByText('Reading 1 document…', { selector: 'p' })).toBeDefined();
  say({ event: 'delta', data: { text: 'Solaris is a fi' } });
  expect(await screen.findByText('Solaris is a fi')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText(/You stopped this answer/)).toBeDefined();
  expect(screen.getByText('Solaris is a fi')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Edit the question' }));
  expect((await field()).textContent).toBe('What is Solaris?');
  expect(screen.queryByText('Solaris is a fi')).toBeNull();
});

it('keeps what came when the connection breaks off, says so, and asks again', async () => {
  const { questions, say, finish, router } = open();
  await ask();
  say(begun);
  say({ event: 'delta', data: { text: 'Solaris is a fi' } });
  await screen.findByText('Solaris is a fi');
  questions[0]?.chat.close();
  expect(
    await screen.findByText(/The connection broke off before the answer was whole/, { selector: 'p' }),
  ).toBeDefined();
  expect(screen.getByText('Solaris is a fi')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Ask again' }));
  await waitFor(() => expect(questions).toHaveLength(2));
  finish();
  await waitFor(() => expect(router.state.location.pathname).toBe('/ask-vector/12'));
  expect(await screen.findByRole('button', { name: 'Source 1: Solaris' })).toBeDefined();
  expect(screen.queryByText('Solaris is a fi')).toBeNull();
});

it('says what the server says in the middle of an answer', async () => {
  const { say } = open();
  await ask();
  say(begun);
  say({ event: 'delta', data: { text: 'Solaris is a fi' } });
  const message = 'The model "gpt-4" failed; try again later';
  say({ event: 'error', data: { code: 'UNAVAILABLE', message, requestId: 'req_7' } });
  const said = within(await screen.findByRole('article', { name: 'Answer of vector-ai' }));
  expect(await said.findByText(new RegExp(message))).toBeDefined();
  expect(said.getByText('req_7')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Edit the question' }));
});

it('an answer goes on while its reader looks at another page, and a toast leads to it', async () => {
  const { say, finish, router } = open();
  await ask();
  say(begun);
  await screen.findByText('Reading 1 document…', { selector: 'p' });
  await router.navigate({ to: '/collections' });
  await screen.findByRole('heading', { level: 1, name: 'Collections' });
  await router.navigate({ to: '/ask-vector' });
  expect(await screen.findByText('Reading 1 document…', { selector: 'p' })).toBeDefined();
  await router.navigate({ to: '/collections' });
  await screen.findByRole('heading', { level: 1, name: 'Collections' });
  finish();
  expect(await screen.findByText('Your question is answered')).toBeDefined();
  const button = await screen.findByRole('button', { name: 'Open' });
  button.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(router.state.location.pathname).toBe('/ask-vector/12'));
  expect(await screen.findByRole('button', { name: 'Source 1: Solaris' })).toBeDefined();
});

it('suggests what the documents of now answer each time that it is opened', async () => {
  let suggested = ['What is Solaris about?'];
  const { router } = open('/ask-vector', { 'chat.suggestions': () => suggested });
  expect(await screen.findByRole('button', { name: 'What is Solaris about?' })).toBeDefined();
  await act(() => router.navigate({ to: '/projects' }));
  suggested = ['What is Stalker about?'];
  await act(() => router.navigate({ to: '/ask-vector' }));
  expect(await screen.findByRole('button', { name: 'What is Stalker about?' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'What is Solaris about?' })).toBeNull();
});

it('says what to do where nothing suggests a question, as in a collection of numbers', async () => {
  open('/ask-vector');
  expect(await screen.findByText(/No question suggests itself/)).toBeDefined();
});
