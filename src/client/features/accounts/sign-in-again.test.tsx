import { screen, waitFor, within } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { bringSessionBack } from '#client/lib/session-keeper.ts';
import type { Answers } from '#client/testing/api.ts';
import { refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole, signInFirst } from '#client/testing/serve-console.ts';

/** A project is named in its form when the session ends; then the form is sent. */
async function sendWithoutSession(more: Answers = {}) {
  const server = serveConsole(ada, more);
  const page = renderConsole('/projects');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New Project' }));
  const form = within(await screen.findByRole('dialog', { name: 'Create project' }));
  await user.type(form.getByLabelText(/^Name/), 'Winter catalogue');
  await user.type(form.getByLabelText('Description'), 'Everything that is warm');
  server.endSession();
  await user.click(form.getByRole('button', { name: 'Create project' }));
  const again = within(await screen.findByRole('dialog', { name: 'Your session has ended' }));
  const created = () => server.calls.filter(({ path }) => path === 'projects.create');
  return { ...server, page, user, form, again, created };
}

type Again = Awaited<ReturnType<typeof sendWithoutSession>>['again'];
const signIn = async (user: UserEvent, again: Again) => {
  await user.type(again.getByLabelText('Password'), 'analytical engine');
  await user.click(again.getByRole('button', { name: 'Sign In' }));
};
const toasts = () => within(screen.getByRole('region', { name: 'Notification' }));
const sent = {
  name: 'Winter catalogue',
  description: 'Everything that is warm',
  workspaceId: 1,
};

it('asks to sign in over the page, keeps what was typed, and sends it again', async () => {
  const { page, user, form, again, created, calls } = await sendWithoutSession();
  expect((again.getByLabelText('Email') as HTMLInputElement).value).toBe('ada@example.com');
  expect((form.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('Winter catalogue');
  expect(page.router.state.location.pathname).toBe('/projects');
  await user.keyboard('{Escape}');
  expect(form.getByLabelText(/^Name/)).toBeDefined();
  await signIn(user, again);
  expect(await toasts().findByText('Project created')).toBeDefined();
  expect(created().map(({ input }) => input)).toEqual([sent, sent]);
  expect(toasts().queryByText(/Failed/)).toBe(null);
  expect(calls.find(({ path }) => path === 'auth.login')?.input).toEqual({
    email: 'ada@example.com',
    password: 'analytical engine',
  });
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
  expect(page.router.state.location.pathname).toBe('/projects');
});

it('asks as well where the console hears that nobody is signed in before anything is refused', async () => {
  const server = serveConsole(ada);
  const page = renderConsole('/projects');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New Project' }));
  const form = within(await screen.findByRole('dialog', { name: 'Create project' }));
  await user.type(form.getByLabelText(/^Name/), 'Winter catalogue');
  server.endSession();
  // As after a change of the account that was made elsewhere.
  void page.queryClient.invalidateQueries({ queryKey: [['auth']] });
  const again = within(await screen.findByRole('dialog', { name: 'Your session has ended' }));
  expect((form.getByLabelText(/^Name/) as HTMLInputElement).value).toBe('Winter catalogue');
  expect(page.router.state.location.pathname).toBe('/projects');
  await signIn(user, again);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Your session has ended' })).toBe(null));
  await user.click(form.getByRole('button', { name: 'Create project' }));
  expect(await toasts().findByText('Project created')).toBeDefined();
});

it('takes the second step over the page too', async () => {
  const { user, again, created } = await sendWithoutSession({
    'auth.login': () => ({ user: null, secondFactor: 'required' }),
  });
  await signIn(user, again);
  await user.type(await again.findByLabelText('Code'), '123456');
  await user.click(again.getByRole('button', { name: 'Sign In' }));
  expect(await toasts().findByText('Project created')).toBeDefined();
  expect(created().map(({ input }) => input)).toEqual([sent, sent]);
});

it('says that the password is not right, and goes on waiting for the right one', async () => {
  let tries = 0;
  const { user, again, created } = await sendWithoutSession({
    'auth.login': () => {
      tries += 1;
      return tries === 1
        ? refuse({ code: 'UNAUTHORIZED', message: 'Invalid email or password' })
        : { user: ada };
    },
    'projects.create': (input) => (tries > 1 ? { ...ada, ...(input as object) } : signInFirst()),
  });
  await signIn(user, again);
  expect((await again.findByRole('alert')).textContent).toBe('Invalid email or password');
  expect(created().length).toBe(1);
  expect(toasts().queryByText('Session ended')).toBe(null);
  await user.click(again.getByRole('button', { name: 'Sign In' }));
  expect(await toasts().findByText('Project created')).toBeDefined();
  expect(created().map(({ input }) => input)).toEqual([sent, sent]);
});

it('sends nothing that was typed by one account as another', async () => {
  const { page, user, again, created } = await sendWithoutSession({
    'auth.login': () => ({ user: { ...ada, id: 2, firstName: 'Grace', lastName: 'Hopper' } }),
  });
  await signIn(user, again);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Your session has ended' })).toBe(null));
  await waitFor(() => expect(screen.getByText('Grace Hopper')).toBeDefined());
  expect(created().length).toBe(1);
  expect(page.router.state.location.pathname).toBe('/projects');
});

it('does not ask again for an answer that is older than the sign-in', async () => {
  let user: typeof ada | null = ada;
  let isHeld = false;
  const held: (() => void)[] = [];
  const server = serveConsole(ada, {
    'auth.me': () => {
      const answer = { user };
      return isHeld ? new Promise((resolve) => held.push(() => resolve(answer))) : answer;
    },
    'auth.login': () => {
      user = ada;
      isHeld = false;
      return { user };
    },
    'projects.create': (input) => (user ? { ...ada, ...(input as object) } : signInFirst()),
  });
  renderConsole('/projects');
  const events = userEvent.setup();
  await events.click(await screen.findByRole('button', { name: 'New Project' }));
  await events.type(await screen.findByLabelText(/^Name/), 'Winter catalogue');
  user = null;
  isHeld = true;
  await events.keyboard('{Enter}');
  await waitFor(() => expect(held.length).toBe(1));
  const second = bringSessionBack();
  await waitFor(() => expect(held.length).toBe(2));
  held[0]?.();
  await signIn(events, within(await screen.findByRole('dialog', { name: 'Your session has ended' })));
  expect(await toasts().findByText('Project created')).toBeDefined();
  held[1]?.();
  expect(await second).toBe(true);
  expect(screen.queryByRole('dialog', { name: 'Your session has ended' })).toBe(null);
  expect(server.calls.filter(({ path }) => path === 'auth.login').length).toBe(1);
});

it('goes on by itself when another tab has signed in again', async () => {
  let isSignedIn = true;
  const server = serveConsole(ada, {
    'auth.me': () => ({ user: isSignedIn ? ada : null }),
    'projects.create': (input) => (isSignedIn ? { ...ada, ...(input as object) } : signInFirst()),
  });
  renderConsole('/projects');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'New Project' }));
  await user.type(await screen.findByLabelText(/^Name/), 'Winter catalogue');
  isSignedIn = false;
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  isSignedIn = true;
  const elsewhere = new BroadcastChannel('session');
  elsewhere.postMessage(null);
  expect(await toasts().findByText('Project created')).toBeDefined();
  elsewhere.close();
  expect(server.calls.map(({ path }) => path)).not.toContain('auth.login');
});

it('leads to the start page and back when it is left', async () => {
  const { page, user, again } = await sendWithoutSession();
  await user.click(again.getByRole('button', { name: 'Leave without signing in' }));
  await waitFor(() => expect(page.router.state.location.href).toBe('/?redirect=%2Fprojects'));
});
