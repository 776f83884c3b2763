import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { ResetPasswordPage } from './reset-password-page.tsx';

const good = {
  'auth.resetLink': () => ({ email: 'ada@example.com', expiresAt: '2026-01-01T01:00:00.000Z' }),
};
const gone = () => refuse({ code: 'NOT_FOUND', message: 'This link is not good any more' });

async function fillIn(confirmation = 'difference engine') {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText(/^New password/), 'difference engine');
  await user.type(screen.getByLabelText(/^Confirm password/), confirmation);
  await user.click(screen.getByRole('button', { name: 'Set password' }));
}

describe('ResetPasswordPage', () => {
  it('says whose password it sets, sets it, and leads on to signing in', async () => {
    const { calls } = answerTrpc({ ...good, 'auth.resetPassword': () => ({ email: 'ada@example.com' }) });
    renderPart(<ResetPasswordPage token="t0ken" />);
    expect(((await screen.findByLabelText('Email')) as HTMLInputElement).value).toBe('ada@example.com');
    await fillIn();
    expect(await screen.findByRole('heading', { name: 'Your password is set' })).toBeDefined();
    expect(calls).toContainEqual({
      path: 'auth.resetPassword',
      input: { token: 't0ken', password: 'difference engine', confirmPassword: 'difference engine' },
    });
    for (const link of screen.getAllByRole('link', { name: 'Sign in' }))
      expect(link.getAttribute('href')).toBe('/login');
  });

  it("says that passwords don't match, and sends nothing", async () => {
    const { calls } = answerTrpc(good);
    renderPart(<ResetPasswordPage token="t0ken" />);
    await fillIn('analytical engine');
    expect(await screen.findByText("Passwords don't match")).toBeDefined();
    expect(calls.map(({ path }) => path)).not.toContain('auth.resetPassword');
  });

  it('says in words that a link is not good any more, and where to go on', async () => {
    answerTrpc({ 'auth.resetLink': gone });
    renderPart(<ResetPasswordPage token="t0ken" />);
    expect(await screen.findByRole('heading', { name: 'This link is not good any more' })).toBeDefined();
    expect(screen.getByText(/within an hour/)).toBeDefined();
    expect(screen.getAllByRole('link', { name: 'Sign in' }).length).toBeGreaterThan(0);
  });

  it('says so too when its hour ends while the password is typed', async () => {
    answerTrpc({ ...good, 'auth.resetPassword': gone });
    renderPart(<ResetPasswordPage token="t0ken" />);
    await fillIn();
    expect(await screen.findByRole('heading', { name: 'This link is not good any more' })).toBeDefined();
  });

  it("puts the server's word at the field it is about", async () => {
    answerTrpc({
      ...good,
      'auth.resetPassword': () =>
        refuse({
          code: 'BAD_REQUEST',
          message: 'password: is too common; choose another',
          details: [{ path: 'password', message: 'is too common; choose another' }],
        }),
    });
    renderPart(<ResetPasswordPage token="t0ken" />);
    await fillIn();
    expect(await screen.findByText('Password is too common; choose another.')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText(/^New password/));
  });

  it('can be tried again when the server could not be asked', async () => {
    let isThrottled = true;
    answerTrpc({
      'auth.resetLink': () =>
        isThrottled
          ? refuse({ code: 'TOO_MANY_REQUESTS', message: 'Too many tries.', retryAfterSeconds: 5 })
          : good['auth.resetLink'](),
    });
    renderPart(<ResetPasswordPage token="t0ken" />);
    expect((await screen.findByRole('alert')).textContent).toBe('Too many tries. Try again in 5 seconds.');
    isThrottled = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByLabelText(/^New password/)).toBeDefined();
  });
});
