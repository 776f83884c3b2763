import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { Alert } from '#shared/alerts.ts';
import { pastToasts } from './toast.ts';

const minuteMs = 60_000;

const alert = (id: number): Alert => ({
  id,
  workspaceId: 1,
  ruleId: id,
  name: `Rule ${id}`,
  type: 'error',
  status: 'active',
  metric: 'cpu',
  comparison: 'above',
  threshold: 90,
  minutes: 5,
  value: 97,
  raisedAt: new Date(Date.now() - 4 * minuteMs).toISOString(),
  resolvedAt: null,
});
const page = (newest: number) => Array.from({ length: 20 }, (_, i) => alert(newest - i));

it('tells by a toast what is raised and what is resolved, and nothing of what newer alerts push off a full list', async () => {
  let active = page(20);
  serveConsole(ada, { 'alerts.list': () => active });
  const { queryClient } = renderConsole('/dashboard');
  await screen.findByRole('button', { name: 'Notifications, 20 alerts active' });
  const becomes = async (now: Alert[]) => {
    active = now;
    await queryClient.invalidateQueries({ queryKey: [['alerts']] });
  };
  const said = () => pastToasts().map(({ title, description }) => `${title}: ${description}`);
  const raised = 'Alert: Rule 21: CPU above 90\u00a0% over 5 minutes: it was 97\u00a0%';
  await becomes(page(21));
  await waitFor(() => expect(said()).toEqual([raised]));
  await becomes([...page(21).filter(({ id }) => id !== 5), alert(1)]);
  const resolved = 'Resolved: Rule 5: CPU above 90\u00a0% over 5 minutes: active for 4\u00a0minutes';
  await waitFor(() => expect(said()).toEqual([resolved, raised]));
});
