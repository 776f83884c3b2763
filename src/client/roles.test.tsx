import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Role } from '#shared/roles.ts';
import type { Answers } from './testing/api.ts';
import { renderConsole } from './testing/render.tsx';
import { ada, workspaceRow } from './testing/rows.ts';
import { serveConsole } from './testing/serve-console.ts';

/** What a role may not do is not asked for, or it is said who may. */

function open(address: string, role: Role, more: Answers = {}) {
  const { calls } = serveConsole(ada, {
    'workspaces.list': () => [{ ...workspaceRow(1, 'Acme'), role }],
    'projects.get': () => ({
      id: 1,
      name: 'Storefront',
      description: null,
      workspaceId: 1,
      createdAt: at,
      updatedAt: at,
    }),
    'apiKeys.list': () => [],
    'dashboard.firstSteps': () => ({
      hasDocuments: true,
      hasSearched: true,
      hasKey: false,
      hasUsedKey: false,
      hasTuned: false,
    }),
    'invitations.list': () => [],
    ...more,
  });
  const view = renderConsole(address);
  view.queryClient.setQueryData(['openapi'], { paths: {}, components: { schemas: {} } });
  return { calls, ...view };
}
const at = '2026-11-20T10:00:00.000Z';
const makers = /Owners and admins of the workspace make them\./;

it('an editor’s first steps are without keys, which an admin makes', async () => {
  open('/dashboard', 'editor');
  expect(await screen.findByText('2 of 3 done')).toBeDefined();
  expect(screen.queryByText('Make an API key')).toBe(null);
  expect(screen.getByText('Tune a collection')).toBeDefined();
});

it('an admin’s first steps have them', async () => {
  open('/dashboard', 'admin');
  expect(await screen.findByText('2 of 5 done')).toBeDefined();
  expect(screen.getByText('Make an API key')).toBeDefined();
});

it.each(['/projects/1?tab=api-keys', '/api-playground'])(
  'who makes keys is said on %s to whom cannot',
  async (address) => {
    localStorage.setItem('selectedProjectId', '1');
    localStorage.setItem('selectedWorkspaceId', '1');
    open(address, 'viewer');
    expect(await screen.findByText(makers)).toBeDefined();
    expect(within(screen.getByRole('main')).queryByText('Create one')).toBe(null);
  },
);

it('nobody gives up the own role by a slip', async () => {
  const user = userEvent.setup();
  const member = { createdAt: at, firstName: null, lastName: null };
  const members = [
    { ...member, id: ada.id, username: 'ada', email: 'ada@example.com', role: 'owner' },
    { ...member, id: 2, username: 'eve', email: 'eve@example.com', role: 'owner' },
  ];
  const { calls } = open('/settings?tab=members', 'owner', {
    'members.list': () => members,
    'members.update': () => ({ ...members[0], role: 'viewer' }),
  });
  const given = () => calls.filter(({ path }) => path === 'members.update').map(({ input }) => input);
  await user.click(await screen.findByRole('combobox', { name: 'Role of ada' }));
  await user.click(await screen.findByRole('option', { name: /^Viewer/ }));
  const dialog = await screen.findByRole('dialog', { name: 'Change your own role?' });
  expect(dialog.textContent).toContain('Only somebody else can give you more again.');
  expect(given()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Change my role' }));
  await waitFor(() => expect(given()).toEqual([{ workspaceId: 1, userId: ada.id, role: 'viewer' }]));
});
