import { focusManager, onlineManager } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { OfflineNote } from '#client/components/shell/offline-note.tsx';
import { answerTrpc, refuse } from '#client/testing/api.ts';
import { renderPart } from '#client/testing/render.tsx';
import { workspaceRow } from '#client/testing/rows.ts';
import { noteAnswer, noteFailure, reachability } from './reachability.ts';
import { trpc } from './trpc.ts';

function Names() {
  const { data, error } = trpc.workspaces.list.useQuery();
  return <output>{error ? error.message : (data ?? []).map(({ name }) => name).join()}</output>;
}

/** Leaves the list and comes back to it. */
function Shown() {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <button type="button" onClick={() => setShown(!isShown)}>
        {isShown ? 'leave' : 'return'}
      </button>
      {isShown && <Names />}
    </>
  );
}

it('what was asked for stays: no return, focus or network asks again', async () => {
  const { calls } = answerTrpc({ 'workspaces.list': () => [workspaceRow(1, 'Acme')] });
  const { queryClient } = renderPart(<Shown />);
  await screen.findByText('Acme');
  await userEvent.click(screen.getByRole('button', { name: 'leave' }));
  await userEvent.click(screen.getByRole('button', { name: 'return' }));
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.getByText('Acme')).toBeDefined();
  expect(calls).toHaveLength(1);
  // A change that says so asks again.
  await queryClient.invalidateQueries({ queryKey: [['workspaces']] });
  expect(calls).toHaveLength(2);
});

it('an answer says that the server is there again', async () => {
  answerTrpc({ 'workspaces.list': () => [workspaceRow(1, 'Acme')] });
  noteFailure(new TypeError('Failed to fetch'));
  expect(reachability()).toBe('unreachable');
  renderPart(<Names />);
  await screen.findByText('Acme');
  expect(reachability()).toBe('reachable');
});

it('what is loaded stays while the server is away, and is asked for anew on its return', async () => {
  let name = 'Acme';
  answerTrpc({ 'workspaces.list': () => [workspaceRow(1, name)] });
  const { fetch } = globalThis;
  const { queryClient } = renderPart(
    <>
      <OfflineNote />
      <Names />
    </>,
  );
  await screen.findByText('Acme');
  name = 'Bolt';
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await queryClient.invalidateQueries({ queryKey: [['workspaces']] });
  await screen.findByText(/The server cannot be reached/);
  expect(screen.getByText('Acme')).toBeDefined();
  vi.stubGlobal('fetch', fetch);
  noteAnswer();
  await screen.findByText('Bolt');
  expect(screen.queryByText(/The server cannot be reached/)).toBe(null);
});

it('what failed is not tried again by itself', async () => {
  const { calls } = answerTrpc({
    'workspaces.list': () => refuse({ code: 'INTERNAL', message: 'It broke' }),
  });
  const { queryClient } = renderPart(<Names />);
  expect(await screen.findByText('It broke')).toBeDefined();
  expect(queryClient.isFetching()).toBe(0);
  expect(calls).toHaveLength(1);
});
