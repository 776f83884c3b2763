import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { AccountEvent } from '#shared/account-activity.ts';

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

const event = (id: number, more: Partial<AccountEvent> = {}): AccountEvent => ({
  id,
  createdAt: new Date(Date.now() - 5 * 60_000).toISOString(),
  action: 'auth.login',
  outcome: 'done',
  times: 1,
  actor: 'user',
  by: null,
  address: '192.0.2.1',
  userAgent: firefox,
  ...more,
});

function open(events: AccountEvent[]) {
  const { calls } = serveConsole(ada, {
    'secondFactor.get': () => ({ isOn: false, recoveryCodesLeft: 0 }),
    'sessions.list': () => [],
    'account.activity': (input) => events.slice(0, (input as { per_page: number }).per_page),
  });
  renderConsole('/settings?tab=security');
  return calls;
}

const rows = async () => {
  const list = await screen.findByRole('list', { name: 'Sign-in history, newest first' });
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
};

it('tells of sign-ins and of tries that failed, with when, browser and address', async () => {
  open([
    event(5, { outcome: 'refused', times: 7, address: '203.0.113.9', userAgent: 'curl/8.1' }),
    event(4, { action: 'auth.secondStep', by: 'recovery code' }),
    event(3, { action: 'auth.secondStep', by: 'app' }),
    event(2),
    event(1, { action: 'auth.issueResetLink', actor: 'operator', address: null, userAgent: null }),
  ]);
  expect(await rows()).toEqual([
    'Sign-in with a wrong passwordFailed 7 times5 minutes ago · curl · 203.0.113.9',
    'Signed in with a recovery code5 minutes ago · Firefox on Linux · 192.0.2.1',
    'Signed in with a code5 minutes ago · Firefox on Linux · 192.0.2.1',
    'Signed in5 minutes ago · Firefox on Linux · 192.0.2.1',
    'Reset link made5 minutes ago · by an operator of the server',
  ]);
  expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull();
});

it('shows earlier ones when they are asked for', async () => {
  open(Array.from({ length: 20 }, (_, i) => event(20 - i)));
  expect(await rows()).toHaveLength(8);
  await userEvent.click(screen.getByRole('button', { name: 'Show earlier' }));
  await expect.poll(async () => (await rows()).length).toBe(20);
  expect(screen.queryByRole('button', { name: 'Show earlier' })).toBeNull();
});
