import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';

it('says to who is no owner whose it is, and asks for nothing that would be refused', async () => {
  const { calls } = serveConsole(ada, {
    'workspaces.list': () => [{ ...workspaceRow(1, 'Acme'), role: 'admin' }],
  });
  renderConsole('/settings?tab=audit');
  expect(
    await screen.findByText('Who did what in this workspace is told to its owners.', { exact: false }),
  ).toBeDefined();
  expect(calls.filter(({ path }) => path.startsWith('auditEntries.'))).toEqual([]);
});
