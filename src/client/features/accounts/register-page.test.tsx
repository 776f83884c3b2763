import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { AuthProvider } from '#client/lib/auth-provider.tsx';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { RegisterPage } from './register-page.tsx';

function renderRegister() {
  renderPart(
    <AuthProvider>
      <RegisterPage />
    </AuthProvider>,
  );
}

async function fillIn(changes: Record<string, string> = {}) {
  const user = userEvent.setup();
  const values = {
    Email: 'ada@example.com',
    Username: 'ada',
    Password: 'analytical engine',
    'Confirm password': 'analytical engine',
    ...changes,
  };
  await screen.findByRole('heading', { name: 'Create your account' });
  for (const [label, value] of Object.entries(values)) {
    if (value) await user.type(screen.getByLabelText(new RegExp(`^${label}`)), value);
  }
  await user.click(screen.getByRole('button', { name: 'Create account' }));
}

describe('RegisterPage', () => {
  it('sends the account, the names left out being none', async () => {
    const { calls } = answerTrpc({
      'auth.me': () => ({ user: null }),
      'auth.register': () => ({ user: null }),
    });
    renderRegister();
    await fillIn();
    await waitFor(() =>
      expect(calls.find(({ path }) => path === 'auth.register')?.input).toMatchObject({
        email: 'ada@example.com',
        username: 'ada',
        password: 'analytical engine',
        confirmPassword: 'analytical engine',
      }),
    );
  });

  it("says that passwords don't match and submits nothing", async () => {
    const { calls } = answerTrpc({ 'auth.me': () => ({ user: null }) });
    renderRegister();
    await fillIn({ 'Confirm password': 'difference engine' });
    expect(await screen.findByText("Passwords don't match")).toBeDefined();
    expect(calls.map(({ path }) => path)).not.toContain('auth.register');
  });

  it('says what is missing in whole sentences, once each', async () => {
    const { calls } = answerTrpc({ 'auth.me': () => ({ user: null }) });
    renderRegister();
    await fillIn({ Email: '', Username: '', Password: '', 'Confirm password': '' });
    for (const sentence of [
      'Email is required.',
      'Username is required.',
      'Password must be at least 8 characters.',
    ])
      expect(await screen.findAllByText(sentence)).toHaveLength(1);
    expect(calls.map(({ path }) => path)).not.toContain('auth.register');
  });

  it('says “Registration failed” where the server says nothing', async () => {
    answerTrpc({
      'auth.me': () => ({ user: null }),
      'auth.register': () => refuse({ code: 'INTERNAL', message: '' }),
    });
    renderRegister();
    await fillIn();
    expect((await screen.findByRole('alert')).textContent).toBe('Registration failed');
  });

  it("puts the server's word at the field it is about", async () => {
    answerTrpc({
      'auth.me': () => ({ user: null }),
      'auth.register': () =>
        refuse({
          code: 'CONFLICT',
          message: 'This username is taken',
          details: [{ path: 'username', message: 'is taken' }],
        }),
    });
    renderRegister();
    await fillIn();
    expect(await screen.findByText('Username is taken.')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(document.activeElement).toBe(screen.getByLabelText(/^Username/));
    expect(screen.getByLabelText(/^Username/).getAttribute('aria-invalid')).toBe('true');
  });
});
