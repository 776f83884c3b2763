import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { toast, toastError } from '#client/lib/toast.ts';
import { renderPart } from '#client/testing/render.tsx';
import type { Alert } from '#shared/alerts.ts';
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

it('has the active alerts before them, and leads to where they are', async () => {
  const alert: Alert = {
    id: 7,
    workspaceId: 1,
    ruleId: 1,
    name: 'Too many errors',
    type: 'error',
    status: 'active',
    metric: 'error_rate',
    comparison: 'above',
    threshold: 5,
    minutes: 5,
    value: 12.34,
    raisedAt: new Date().toISOString(),
    resolvedAt: null,
  };
  renderPart(<Notifications alerts={[alert]} />);
  await userEvent.click(await screen.findByRole('button', { name: /^Notifications, 1 alert active/ }));
  const shown = await screen.findByRole('region', { name: 'Active alerts' });
  expect(shown.textContent).toContain(
    'Too many errorsError rate (4xx and 5xx) above 5\u00a0% over 5 minutes: it was 12.3\u00a0%',
  );
  expect(screen.getByRole('link', { name: 'Show in Monitoring' }).getAttribute('href')).toBe('/monitoring');
});
