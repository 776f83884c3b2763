import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { AuthProvider, useAuth } from '#client/lib/auth-provider.tsx';
import { type Answers, answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { LoginPage } from './login-page.tsx';

const nobody: Answers = {
  'auth.me': () => ({ user: null }),
  'auth.signInOptions': () => ({ sendsMail: false }),
};

function Who() {
  return <output>{useAuth().user?.username ?? 'nobody'}</output>;
}

function renderLogin() {
  return renderPart(
    <AuthProvider>
      <LoginPage />
      <Who />
    </AuthProvider>,
  );
}

async function signIn(email: string, password: string) {
  const user = userEvent.setup();
  if (email) await user.type(await screen.findByLabelText('Email'), email);
  if (password) await user.type(screen.getByLabelText('Password'), password);
  await user.click(await screen.findByRole('button', { name: 'Sign In' }));
}

describe('LoginPage', () => {
  it('lets a password manager fill it in', async () => {
    answerTrpc(nobody);
    renderLogin();
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeDefined();
    expect(screen.getByLabelText('Email').getAttribute('autocomplete')).toBe('username');
    expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('current-password');
  });

  it('shows dots in place of the password, which may be pasted', async () => {
    answerTrpc(nobody);
    renderLogin();
    const user = userEvent.setup();
    const field = await screen.findByLabelText<HTMLInputElement>('Password');
    await user.click(field);
    await user.paste('pasted, of any length, with spaces');
    expect([field.type, field.value]).toEqual(['password', 'pasted, of any length, with spaces']);
  });

  it('signs in', async () => {
    let user: typeof ada | null = null;
    const { calls } = answerTrpc({
      'auth.me': () => ({ user }),
      'auth.login': () => {
        user = ada;
        return { user };
      },
    });
    renderLogin();
    await signIn('ada@example.com', 'correct horse');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('ada'));
    expect(calls).toContainEqual({
      path: 'auth.login',
      input: { email: 'ada@example.com', password: 'correct horse' },
    });
  });

  it('asks for both fields, at the fields, and sends nothing', async () => {
    const { calls } = answerTrpc(nobody);
    renderLogin();
    await signIn('', '');
    expect(await screen.findByText('Email is required.')).toBeDefined();
    expect(screen.getByText('Password is required.')).toBeDefined();
    expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
    expect(calls.map(({ path }) => path)).not.toContain('auth.login');
  });

  it('shows why the server refused, and keeps what was typed', async () => {
    answerTrpc({
      ...nobody,
      'auth.login': () => refuse({ code: 'UNAUTHORIZED', message: 'Invalid email or password' }),
    });
    renderLogin();
    await signIn('ada@example.com', 'wrong');
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid email or password');
    expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('ada@example.com');
  });

  it('says “Login failed” where the server says nothing, and waits with a spinner until then', async () => {
    let answer = () => {};
    answerTrpc({
      ...nobody,
      'auth.login': () =>
        new Promise((resolve) => {
          answer = () => resolve(refuse({ code: 'INTERNAL', message: '' }));
        }),
    });
    renderLogin();
    await signIn('ada@example.com', 'wrong');
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Sign In' });
    await waitFor(() => expect(button.dataset['loading']).toBe('true'));
    expect(button.disabled).toBe(true);
    expect(button.querySelector('.mantine-Loader-root')).not.toBeNull();
    answer();
    expect((await screen.findByRole('alert')).textContent).toBe('Login failed');
    expect(button.disabled).toBe(false);
  });

  it('says when to try again after too many attempts', async () => {
    answerTrpc({
      ...nobody,
      'auth.login': () =>
        refuse({ code: 'TOO_MANY_REQUESTS', message: 'Too many attempts.', retryAfterSeconds: 240 }),
    });
    renderLogin();
    await signIn('ada@example.com', 'wrong');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts. Try again in 4 minutes.');
  });

  it('says who helps with a forgotten password where no mail is sent, and leads to a letter where it is', async () => {
    answerTrpc(nobody);
    const { unmount } = renderLogin();
    expect(await screen.findByText(/Whoever runs this server can give you a link/)).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Forgot your password?' })).toBeNull();
    unmount();
    answerTrpc({ ...nobody, 'auth.signInOptions': () => ({ sendsMail: true }) });
    renderLogin();
    const link = await screen.findByRole('link', { name: 'Forgot your password?' });
    expect(link.getAttribute('href')).toBe('/forgot-password');
  });

  it('shows the password on demand', async () => {
    answerTrpc(nobody);
    renderLogin();
    const password = await screen.findByLabelText('Password');
    expect(password.getAttribute('type')).toBe('password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password.getAttribute('type')).toBe('text');
  });
});
