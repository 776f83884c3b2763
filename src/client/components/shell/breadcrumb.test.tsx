import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, collectionRow, projectRow, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

const projects = [projectRow(1, 'Storefront', 1), projectRow(2, 'Demo', 1), projectRow(3, 'Demo', 1)];
const elsewhere = projectRow(9, 'Archive', 2);

function open(address: string) {
  const server = serveConsole(ada, {
    'workspaces.list': () => [workspaceRow(1, 'Acme'), workspaceRow(2, 'Beta')],
    'projects.list': (input) =>
      (input as { workspaceId: number }).workspaceId === 1 ? projects : [elsewhere],
    'projects.get': (input) =>
      [...projects, elsewhere].find(({ id }) => id === (input as { id: number }).id) ?? null,
    'collections.list': () => [collectionRow(1, 'films'), { ...collectionRow(2, 'products'), projectId: 2 }],
    'apiKeys.list': () => [],
  });
  return { ...server, page: renderConsole(address), user: userEvent.setup() };
}

const crumb = async (name: string) =>
  (await within(await screen.findByRole('navigation', { name: 'Breadcrumb' })).findByRole('combobox', {
    name,
  })) as HTMLInputElement;
const shows = (name: string, value: string) =>
  waitFor(async () => expect((await crumb(name)).value).toBe(value));

it('opening a project chooses it, and its workspace', async () => {
  const { page } = open('/projects/9');
  await shows('Workspace', 'Beta');
  await shows('Project', 'Archive');
  await waitFor(() => expect(localStorage.getItem('selectedProjectId')).toBe('9'));
  expect(localStorage.getItem('selectedWorkspaceId')).toBe('2');
  await page.router.navigate({ to: '/collections' });
  await shows('Project', 'Archive');
});

it('a new collection on a project’s page is offered that project, whichever was chosen before', async () => {
  localStorage.setItem('selectedWorkspaceId', '1');
  localStorage.setItem('selectedProjectId', '2');
  const { user } = open('/projects/1');
  await screen.findByRole('heading', { name: 'Storefront', level: 1 });
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  await user.click(await screen.findByRole('menuitem', { name: 'New Collection' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Create collection' }));
  const project = (await dialog.findByRole('combobox', { name: 'Project' })) as HTMLInputElement;
  await waitFor(() => expect(project.value).toBe('Storefront'));
});

it('choosing a project on a project’s page or on the list opens it; projects of one name are told apart', async () => {
  const { page, user } = open('/projects/1');
  await shows('Project', 'Storefront');
  await user.click(await crumb('Project'));
  await user.click(await screen.findByRole('option', { name: 'Demo (3)' }));
  await waitFor(() => expect(page.router.state.location.pathname).toBe('/projects/3'));
  await user.click(await crumb('Project'));
  await user.click(await screen.findByRole('option', { name: 'All projects' }));
  await waitFor(() => expect(page.router.state.location.pathname).toBe('/projects'));
  await shows('Project', 'All projects');
});

it('the list of projects is of all of them, whichever is chosen', async () => {
  localStorage.setItem('selectedProjectId', '2');
  localStorage.setItem('selectedWorkspaceId', '1');
  const { page } = open('/projects');
  await shows('Project', 'All projects');
  await page.router.navigate({ to: '/collections' });
  await shows('Project', 'Demo (2)');
});

it('the chosen project narrows the dashboard', async () => {
  localStorage.setItem('selectedWorkspaceId', '1');
  localStorage.setItem('selectedProjectId', '1');
  const { calls } = open('/dashboard');
  await screen.findByText('36,249');
  const stats = calls.filter(({ path }) => path === 'dashboard.stats').map(({ input }) => input);
  expect(stats).toEqual([{ workspaceId: 1, projectId: 1 }]);
});

it('names the collection that is searched, and leads to the others', async () => {
  const { page, user } = open('/search?collection=1');
  await shows('Current collection', 'films');
  await user.click(await crumb('Current collection'));
  await user.click(await screen.findByRole('option', { name: 'products' }));
  await waitFor(() => expect(page.router.state.location.search).toMatchObject({ collection: 2 }));
});

it('names no collection that is gone', async () => {
  const rows = [collectionRow(1, 'films'), collectionRow(2, 'products')];
  serveConsole(ada, { 'collections.list': () => rows, 'collections.get': () => collectionRow(1, 'films') });
  const { router, queryClient } = renderConsole('/collections/1');
  await shows('Current collection', 'films');
  rows.shift();
  await queryClient.invalidateQueries({ queryKey: [['collections', 'list']] });
  await shows('Current collection', '');
  await router.navigate({ to: '/search', search: { collection: 1 } });
  await shows('Current collection', 'All collections');
});

it.each(['/dashboard', '/collections', '/projects', '/search'])(
  'no title stands twice on %s',
  async (address) => {
    open(address);
    const heading = await screen.findByRole('heading', { level: 1 });
    const bar = screen.getByRole('region', { name: 'Top bar' });
    expect(within(bar).queryByText(heading.textContent)).toBe(null);
  },
);
