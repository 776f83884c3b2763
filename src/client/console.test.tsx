import { notifyManager } from '@tanstack/react-query';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { refuse } from './testing/api.ts';
import { renderConsole } from './testing/render.tsx';
import { ada, workspaceRow } from './testing/rows.ts';
import { serveConsole as serve } from './testing/serve-console.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Console = ReturnType<typeof renderConsole>;
const arriveAt = (page: Console, href: string) =>
  waitFor(() => expect(page.router.state.location.href).toBe(href));

async function signIn() {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Email'), 'ada@example.com');
  await user.type(screen.getByLabelText('Password'), 'analytical engine');
  await user.click(screen.getByRole('button', { name: 'Sign In' }));
}

describe('who may see a page', () => {
  it('sends whoever is not signed in to the start, and back to the page asked for after the login', async () => {
    serve(null);
    const page = renderConsole('/collections?q=films');
    await arriveAt(page, '/?redirect=%2Fcollections%3Fq%3Dfilms');
    await page.router.navigate({ to: '/login' });
    await arriveAt(page, '/login?redirect=%2Fcollections%3Fq%3Dfilms');
    await signIn();
    await arriveAt(page, '/collections?q=films');
  });

  it('goes to the dashboard after a login without a page asked for', async () => {
    serve(null);
    const page = renderConsole('/login');
    await signIn();
    await arriveAt(page, '/dashboard');
    expect(await screen.findByText('36,249')).toBeDefined();
  });

  it('takes the answer to the login for who is signed in', async () => {
    let isAnswering = true;
    const { calls } = serve(null, {
      'auth.me': () =>
        isAnswering ? { user: null } : refuse({ code: 'UNAVAILABLE', message: 'The database is away' }),
    });
    const page = renderConsole('/login');
    await screen.findByLabelText('Email');
    isAnswering = false;
    const asked = calls.length;
    await signIn();
    await arriveAt(page, '/dashboard');
    expect(await screen.findByText('36,249')).toBeDefined();
    expect(calls.slice(asked).map(({ path }) => path)).not.toContain('auth.me');
  });

  it('shows a spinner until it is known who is signed in', async () => {
    let answer = () => {};
    const known = new Promise((resolve) => {
      answer = () => resolve({ user: ada });
    });
    serve(ada, { 'auth.me': () => known });
    renderConsole('/dashboard');
    expect(await screen.findByRole('status', { name: 'Loading' })).toBeDefined();
    expect(screen.queryByRole('heading')).toBeNull();
    answer();
    expect(await screen.findByRole('heading', { name: 'Dashboard', level: 1 })).toBeDefined();
  });

  it('shows a page once it is there, and holds no spinner for show', async () => {
    let answer = () => {};
    const known = new Promise((resolve) => {
      answer = () => resolve({ user: ada });
    });
    serve(ada, { 'auth.me': () => known });
    vi.useFakeTimers({ toFake: ['Date'] });
    renderConsole('/dashboard');
    await screen.findByRole('status', { name: 'Loading' });
    const timers = vi.spyOn(globalThis, 'setTimeout');
    answer();
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
    // The router's own rule holds a spinner for half a second from when it was shown, by the date, which stands still here.
    expect(timers.mock.calls.map(([, ms]) => ms)).not.toContain(500);
  });

  it('sends nobody away who is signed in, however fast their page is there', async () => {
    let answer = () => {};
    const known = new Promise((resolve) => {
      answer = () => resolve({ user: ada });
    });
    serve(ada, { 'auth.me': () => known });
    const { router } = renderConsole('/dashboard');
    const hrefs: string[] = [];
    router.subscribe('onBeforeNavigate', ({ toLocation }) => hrefs.push(toLocation.href));
    await screen.findByRole('status', { name: 'Loading' });
    // What is rendered hears of the answer later than the router, which has asked for it.
    const untold: (() => void)[] = [];
    notifyManager.setScheduler((tell) => void untold.push(tell));
    onTestFinished(() => notifyManager.setScheduler((tell) => void setTimeout(tell, 0)));
    answer();
    await waitFor(() => expect(router.state.status).toBe('idle'));
    notifyManager.setScheduler((tell) => void setTimeout(tell, 0));
    for (const tell of untold) setTimeout(tell, 0);
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
    expect(hrefs).toEqual([]);
  });

  it('learns what a collection can be narrowed by before it is known of which workspace it is', async () => {
    let answer = () => {};
    const known = new Promise((resolve) => {
      answer = () => resolve([workspaceRow(1, 'Lab')]);
    });
    const { calls } = serve(ada, { 'workspaces.list': () => known, 'collections.fields': () => [] });
    renderConsole('/search?q=robots&collection=7');
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('collections.fields'));
    expect(calls.find(({ path }) => path === 'collections.fields')?.input).toEqual({ collection: 7 });
    answer();
  });

  it('goes to no other origin', async () => {
    serve(ada);
    const page = renderConsole('/login?redirect=%2F%2Fevil.example');
    await arriveAt(page, '/dashboard');
  });

  it('goes to the start when the server no longer knows the session and the reader leaves', async () => {
    let isKnown = true;
    serve(ada, {
      'auth.me': () => ({ user: isKnown ? ada : null }),
      'dashboard.stats': () =>
        isKnown
          ? { totalCollections: 0, totalDocuments: 0, apiRequestsLast24h: 0, activeProjects: 0 }
          : refuse({ code: 'UNAUTHORIZED', message: 'Sign in to do this' }),
    });
    const page = renderConsole('/dashboard');
    await screen.findByRole('heading', { name: 'Dashboard' });
    isKnown = false;
    void page.queryClient.invalidateQueries({ queryKey: [['dashboard']] });
    await userEvent.click(await screen.findByRole('button', { name: 'Leave without signing in' }));
    await arriveAt(page, '/?redirect=%2Fdashboard');
  });
});

describe('somebody else at the same browser', () => {
  it('sees nothing of whoever was signed in before the session ran out', async () => {
    let isKnown = true;
    let name = 'Secret plans';
    serve(ada, {
      'auth.me': () => ({ user: isKnown ? ada : null }),
      'workspaces.list': () =>
        isKnown ? [workspaceRow(1, name)] : refuse({ code: 'UNAUTHORIZED', message: 'Sign in to do this' }),
    });
    const page = renderConsole('/projects');
    expect(await screen.findByText('In the workspace Secret plans')).toBeDefined();
    isKnown = false;
    void page.queryClient.invalidateQueries({ queryKey: [['workspaces']] });
    await userEvent.click(await screen.findByRole('button', { name: 'Leave without signing in' }));
    await arriveAt(page, '/?redirect=%2Fprojects');
    isKnown = true;
    name = 'Other workspace';
    await page.router.navigate({ to: '/login' });
    await signIn();
    expect(await screen.findByText('In the workspace Other workspace')).toBeDefined();
    expect(screen.queryByText(/Secret plans/)).toBe(null);
  });
});

describe('where the browser forbids storage', () => {
  it('starts all the same', async () => {
    for (const method of ['getItem', 'setItem', 'removeItem'] as const) {
      vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new DOMException('The operation is insecure.', 'SecurityError');
      });
    }
    serve(ada);
    renderConsole('/dashboard');
    expect(await screen.findByText('36,249')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Collapse sidebar' }));
    expect(await screen.findByRole('button', { name: 'Expand sidebar' })).toBeDefined();
  });
});

describe('an address that is no page', () => {
  it('is the 404 page', async () => {
    serve(ada);
    renderConsole('/nowhere');
    expect(await screen.findByRole('heading', { name: '404 Page Not Found' })).toBeDefined();
    expect(screen.getByText('Did you forget to add the page to the router?')).toBeDefined();
  });

  it('is the start for whoever is not signed in', async () => {
    serve(null);
    const page = renderConsole('/nowhere');
    await arriveAt(page, '/');
  });
});

describe('logout', () => {
  const logout = async () =>
    userEvent.click((await screen.findAllByRole('button', { name: 'Logout' }))[0] ?? document.body);
  const toasts = () => within(screen.getByRole('region', { name: 'Notification' }));

  it('clears what was loaded, goes to /login and says so', async () => {
    serve(ada);
    const page = renderConsole('/dashboard');
    await screen.findByText('36,249');
    await logout();
    await arriveAt(page, '/login');
    expect(await toasts().findByText('You have been successfully logged out.')).toBeDefined();
    const kept = page.queryClient.getQueryCache().getAll();
    const loaded = kept.map((query) => query.state.data).filter((data) => data !== undefined);
    expect(loaded).toEqual([{ user: null }]);
  });

  it('stays and says so when the server fails', async () => {
    serve(ada, { 'auth.logout': () => refuse({ code: 'UNAVAILABLE', message: 'The database is away' }) });
    const page = renderConsole('/dashboard');
    await screen.findByText('36,249');
    await logout();
    expect(await toasts().findByText('Logout failed')).toBeDefined();
    expect(toasts().getByText('There was an error logging you out. Please try again.')).toBeDefined();
    expect(page.router.state.location.href).toBe('/dashboard');
  });
});

describe('the shell', () => {
  it('names the page in the title, the sidebar and the top bar', async () => {
    serve(ada);
    renderConsole('/dashboard');
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 });
    await waitFor(() => expect(document.title).toBe('Dashboard · Vectora'));
    const active = screen.getByRole('link', { name: 'Dashboard' });
    expect(active.getAttribute('aria-current')).toBe('page');
    expect(screen.getByText('Ada Lovelace')).toBeDefined();
    expect(screen.getByText('ada@example.com')).toBeDefined();
  });

  it('moves the focus to the heading of the page that was opened', async () => {
    serve(ada);
    renderConsole('/dashboard');
    await screen.findByText('36,249');
    await userEvent.click(screen.getByRole('link', { name: 'All Projects' }));
    const heading = await screen.findByRole('heading', { name: 'Projects', level: 1 });
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it('creates a workspace and chooses it', async () => {
    const workspaces = [workspaceRow(1, 'Acme')];
    const { calls } = serve(ada, {
      'workspaces.list': () => [...workspaces],
      'workspaces.create': () => {
        workspaces.push(workspaceRow(2, 'Data Team'));
        return workspaces[1];
      },
    });
    renderConsole('/dashboard');
    const user = userEvent.setup();
    await user.click(await screen.findByRole('button', { name: 'Create' }));
    await user.click(await screen.findByRole('menuitem', { name: 'New Workspace' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create workspace' }));
    const submit = dialog.getByRole('button', { name: 'Create workspace' }) as HTMLButtonElement;
    await user.type(dialog.getByLabelText(/^Name/), '   ');
    expect(submit.disabled).toBe(true);
    await user.type(dialog.getByLabelText(/^Name/), 'Data Team');
    await user.click(submit);
    await waitFor(() => expect(localStorage.getItem('selectedWorkspaceId')).toBe('2'));
    expect(calls.find(({ path }) => path === 'workspaces.create')?.input).toEqual({
      name: 'Data Team',
      slug: 'data-team',
    });
    const region = within(screen.getByRole('region', { name: 'Notification' }));
    expect(await region.findByText('Workspace created')).toBeDefined();
    expect(region.getByText('Data Team')).toBeDefined();
  });
});
