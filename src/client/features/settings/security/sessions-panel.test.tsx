import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const session = (id: number, isCurrent: boolean) => ({
  id,
  createdAt: '2026-11-01T10:00:00.000Z',
  lastSeenAt: '2026-11-01T10:00:00.000Z',
  expiresAt: '2026-12-01T10:00:00.000Z',
  address: '192.0.2.1',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  isCurrent,
});

it('who signed in a while ago shows the password and a code, and what was asked for is done then', async () => {
  let isFresh = false;
  let sessions = [session(2, false), session(1, true)];
  const { calls } = serveConsole(ada, {
    'secondFactor.get': () => ({ isOn: true, recoveryCodesLeft: 10 }),
    'sessions.list': () => sessions,
    'sessions.endOthers': () => {
      if (!isFresh) return refuse({ code: 'FORBIDDEN', message: 'You signed in more than 15 minutes ago' });
      sessions = [session(1, true)];
      return { ended: 1 };
    },
    'auth.login': () => ({ user: null, secondFactor: 'required' }),
    'auth.secondStep': () => {
      isFresh = true;
      return { user: ada };
    },
  });
  renderConsole('/settings?tab=security');
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere else' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  await user.type(dialog.getByLabelText(/^Your password/), 'analytical engine');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  await user.type(await dialog.findByLabelText(/^Code/), '123456');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('You are signed out everywhere else.')).toBeDefined();
  await waitFor(() => expect(screen.queryByText('Sign out everywhere else')).toBe(null));
  expect(calls.filter(({ path }) => path === 'sessions.endOthers')).toHaveLength(2);
  expect(calls.find(({ path }) => path === 'auth.secondStep')?.input).toEqual({ code: '123456' });
});
