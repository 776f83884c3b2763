import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { toast, toastError } from '#client/lib/toast.ts';
import { renderPart } from '#client/testing/render.tsx';
import { Notifications } from './notifications.tsx';

it('keeps what the toasts have said, the newest first', async () => {
  renderPart(<Notifications />);
  await screen.findByRole('button', { name: 'Notifications' });
  act(() => {
    toast({ title: 'Project created', description: 'Winter shop' });
    toastError('Failed to delete collection. Please try again.');
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 new' }));
  const list = await screen.findByRole('list', { name: 'Newest first' });
  expect([...list.children].map(({ textContent }) => textContent)).toEqual([
    'ErrorFailed to delete collection. Please try again.just now',
    'Project createdWinter shopjust now',
  ]);
  expect(screen.getByRole('button', { name: 'Notifications' })).toBeDefined();
});
