import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { AuthProvider, useAuth } from '#client/lib/auth-provider.tsx';
import { type Answers, answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { LoginPage } from './login-page.tsx';

const awaited: Answers = {
  'auth.me': () => ({ user: null }),
  'auth.signInOptions': () => ({ sendsMail: false }),
  'auth.login': () => ({ user: null, secondFactor: 'required' }),
};

function Who() {
  return <output>{useAuth().user?.username ?? 'nobody'}</output>;
}

async function reachCode(answers: Answers) {
  const asked = answerTrpc({ ...awaited, ...answers });
  renderPart(
    <AuthProvider>
      <LoginPage />
      <Who />
    </AuthProvider>,
  );
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
  await user.type(screen.getByLabelText('Password'), 'analytical engine');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
  await screen.findByRole('heading', { name: 'Enter your code' });
  return { ...asked, user };
}

const field = (label = 'Code') => screen.getByLabelText(label) as HTMLInputElement;
const signIn = () => screen.getByRole('button', { name: 'Sign In' });

describe('the second step of signing in', () => {
  it('asks for the code where the hands are, as telephones offer it, and signs in', async () => {
    const { calls, user } = await reachCode({ 'auth.secondStep': () => ({ user: ada }) });
    expect(document.activeElement).toBe(field());
    expect(field().getAttribute('autocomplete')).toBe('one-time-code');
    expect(field().getAttribute('inputmode')).toBe('numeric');
    await user.keyboard('123456{Enter}');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('ada'));
    expect(calls).toContainEqual({ path: 'auth.secondStep', input: { code: '123456' } });
  });

  it('sends no code that cannot be right', async () => {
    const { calls, user } = await reachCode({});
    await user.type(field(), '12345');
    await user.click(signIn());
    expect(await screen.findByText('The code is six digits.')).toBeDefined();
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field());
    expect(calls.map(({ path }) => path)).not.toContain('auth.secondStep');
  });

  it('says that a code is not right, and the next one is typed over it', async () => {
    const message = 'This code is not right, or was used already';
    const details = [{ path: 'code', message: 'is not right, or was used already' }];
    const { user } = await reachCode({
      'auth.secondStep': (input) =>
        (input as { code: string }).code === '000000'
          ? refuse({ code: 'UNAUTHORIZED', message, details })
          : { user: ada },
    });
    await user.type(field(), '000000{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(message);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    await user.keyboard('123456{Enter}');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('ada'));
  });

  it('takes a recovery code in place of the app’s', async () => {
    const { calls, user } = await reachCode({ 'auth.secondStep': () => ({ user: ada }) });
    await user.type(field(), '12');
    await user.click(screen.getByRole('button', { name: 'Use a recovery code' }));
    expect(document.activeElement).toBe(field('Recovery code'));
    expect(field('Recovery code').value).toBe('');
    await user.keyboard('aaaa-bbbb-cccc-dddd-eeee-ffff{Enter}');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('ada'));
    expect(calls).toContainEqual({
      path: 'auth.secondStep',
      input: { code: 'aaaa-bbbb-cccc-dddd-eeee-ffff' },
    });
  });

  it('says how long to wait after too many codes', async () => {
    const { user } = await reachCode({
      'auth.secondStep': () =>
        refuse({ code: 'TOO_MANY_REQUESTS', message: 'Too many tries.', retryAfterSeconds: 240 }),
    });
    await user.type(field(), '123456{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe('Too many tries. Try again in 4 minutes.');
  });

  it('goes back to the password when that was too long ago, and says so', async () => {
    const { user } = await reachCode({
      'auth.secondStep': () =>
        refuse({ code: 'UNAUTHORIZED', message: 'Your password was given too long ago; sign in again' }),
    });
    await user.type(field(), '123456{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('too long ago');
    expect(field('Email').value).toBe('ada@example.com');
    expect(field('Password').value).toBe('');
  });

  it('starts over for somebody else', async () => {
    const { user } = await reachCode({});
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
