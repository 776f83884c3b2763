import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { ForgotPasswordPage } from './forgot-password-page.tsx';

async function ask(email: string) {
  const user = userEvent.setup();
  if (email) await user.type(await screen.findByLabelText('Email'), email);
  await user.click(await screen.findByRole('button', { name: 'Send link' }));
}

describe('ForgotPasswordPage', () => {
  it('asks for a letter and says where to look, for whoever it is', async () => {
    const { calls } = answerTrpc({ 'auth.forgotPassword': () => ({ ok: true }) });
    renderPart(<ForgotPasswordPage />);
    await ask('ada@example.com');
    expect(await screen.findByRole('heading', { name: 'Look into your mail' })).toBeDefined();
    expect(screen.getByRole('status').textContent).toContain('If ada@example.com has an account here');
    expect(calls).toContainEqual({ path: 'auth.forgotPassword', input: { email: 'ada@example.com' } });
  });

  it('asks for the email, at the field, and sends nothing', async () => {
    const { calls } = answerTrpc({});
    renderPart(<ForgotPasswordPage />);
    await ask('');
    expect(await screen.findByText('Email is required.')).toBeDefined();
    expect(calls).toEqual([]);
  });

  it('says why the server refused', async () => {
    const message = 'This server sends no mail; ask whoever runs it for a reset link';
    answerTrpc({ 'auth.forgotPassword': () => refuse({ code: 'UNPROCESSABLE', message }) });
    renderPart(<ForgotPasswordPage />);
    await ask('ada@example.com');
    expect((await screen.findByRole('alert')).textContent).toBe(message);
  });
});
