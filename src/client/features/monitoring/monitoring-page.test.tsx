import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, refuse } from '#client/testing/api.ts';
import { renderConsole } from '#client/testing/render.tsx';
import { ada } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { Alert } from '#shared/alerts.ts';
import type { CollectionHealth, Monitoring, MonitoringRange } from '#shared/monitoring.ts';

const gigabyte = 1024 ** 3;
const requests = { requests: 2_000, clientErrors: 30, serverErrors: 10, p50: 3.2, p95: 40, p99: 1_240 };
const uptime = { minutesUp: 1_426, minutes: 1_440 };

function figures(range: MonitoringRange): Monitoring {
  const host = { cpu: 0.25, memory: 0.5, disk: 0.95, apiConnections: 3, liveConnections: 2 };
  return {
    range,
    since: '2026-11-21T10:00:00.000Z',
    until: '2026-11-22T10:00:00.000Z',
    stepMs: 900_000,
    totals: { ...requests, ...uptime },
    before: { ...requests, requests: 1_000 },
    now: {
      cpu: 0.25,
      processors: 2,
      memory: { used: gigabyte, total: 2 * gigabyte },
      disk: { used: 95 * gigabyte, total: 100 * gigabyte },
      apiConnections: 3,
      liveConnections: 2,
      startedAt: '2026-11-22T08:55:00.000Z',
    },
    points: [{ at: '2026-11-21T10:00:00.000Z', ...requests, ...host, ...uptime }],
  };
}

function alert(id: number, changes: Partial<Alert>): Alert {
  return {
    id,
    workspaceId: 1,
    ruleId: 1,
    name: 'Disk is nearly full',
    type: 'error',
    status: 'active',
    metric: 'disk',
    comparison: 'above',
    threshold: 90,
    minutes: 5,
    value: 95,
    raisedAt: '2026-11-22T09:00:00.000Z',
    resolvedAt: null,
    ...changes,
  };
}

function health(id: number, name: string, changes: Partial<CollectionHealth>): CollectionHealth {
  return {
    id,
    name,
    projectId: 1,
    status: 'healthy',
    reason: null,
    documents: 36_249,
    model: 'builtin',
    modelState: 'resting',
    documentsState: 'resting',
    upgraded: 0,
    pending: 0,
    refused: 0,
    nextModel: null,
    moved: 0,
    indexed: 36_249,
    backlog: 0,
    bytes: 5 * 1024 * 1024,
    indexBytes: 1_024,
    scan: 'exact',
    recall: 1,
    queriesPerHour: 120,
    ...changes,
  };
}

function open(more: Answers = {}) {
  const asked = serveConsole(ada, {
    'monitoring.get': (input) => figures((input as { range: MonitoringRange }).range),
    'alerts.list': () => [],
    'alertRules.list': () => [],
    'collectionHealth.list': () => [],
    ...more,
  });
  const ranges = () =>
    asked.calls
      .filter(({ path }) => path === 'monitoring.get')
      .map(({ input }) => (input as { range: string }).range);
  return { ...renderConsole('/monitoring'), ranges };
}

afterEach(() => void vi.useRealTimers());

const part = async (name: string) => screen.findByRole('region', { name });

it('looks back over 24 hours, or as far as is chosen of four, which the address keeps', async () => {
  const page = open();
  const choices = within(await screen.findByRole('radiogroup', { name: 'Time range' }));
  const shown = choices.getAllByRole<HTMLInputElement>('radio');
  expect(shown.map(({ value, checked }) => [value, checked])).toEqual([
    ['1h', false],
    ['24h', true],
    ['7d', false],
    ['30d', false],
  ]);
  await userEvent.click(choices.getByText('7d'));
  expect((await part('Total Requests')).textContent).toContain('2,000');
  await waitFor(() => expect([...new Set(page.ranges())]).toEqual(['24h', '7d']));
  expect(page.router.state.location.search).toEqual({ range: '7d' });
});

it('tells uptime, requests, response time and error rate', async () => {
  open();
  expect((await part('Uptime')).textContent).toMatch(/^Uptime99\.03 %.*14 min down, running for 1 h 5 min/);
  expect((await part('Total Requests')).textContent).toBe(
    'Total Requests2,000+100 % on the 24 hours before (1,000)',
  );
  expect((await part('Response Time')).textContent).toBe('Response Time3.2 ms p50p9540 msp991.24 s');
  expect((await part('Error Rate')).textContent).toMatch(/^Error Rate2\.00 %.*30.*10$/);
});

it('has bars for processors, memory and disk, and counts the open connections', async () => {
  open();
  const machine = within(await part('Resource usage'));
  for (const [name, percent] of [
    ['CPU', 25],
    ['Memory', 50],
    ['Disk', 95],
  ] as const) {
    const bar = machine.getByRole('progressbar', { name: `${name} in use` });
    expect(Number(bar.getAttribute('aria-valuenow'))).toBe(percent);
    expect(machine.getByText(`${percent} %`)).toBeDefined();
  }
  const connections = await part('Active connections');
  expect(connections.textContent).toContain('Total5API3Live2');
});

it('lists alerts by type, active or resolved', async () => {
  const rows = [
    alert(3, {}),
    alert(2, {
      name: 'Slow',
      type: 'warning',
      status: 'resolved',
      resolvedAt: '2026-11-22T09:30:00.000Z',
    }),
    alert(1, { name: 'Busy', type: 'info', status: 'resolved', resolvedAt: '2026-11-22T09:10:00.000Z' }),
  ];
  open({
    'alerts.list': (input) => {
      const { status } = input as { status?: string };
      return rows.filter((row) => status === undefined || row.status === status);
    },
  });
  const list = within(await part('Recent alerts'));
  const [first, second, third] = (await list.findAllByRole('listitem')).map(({ textContent }) => textContent);
  expect(first).toMatch(/^ErrorDisk is nearly fullDisk above 90\s% over 5 minutes: it was 95\s%Active/);
  expect(second).toMatch(/^WarningSlow.*Resolved/);
  expect(third).toMatch(/^InfoBusy.*Resolved/);
  expect(list.getByText('1 active')).toBeDefined();
});

it('tells each collection’s health, what is amiss first, with documents, size and queries an hour', async () => {
  open({
    'collectionHealth.list': () => [
      health(1, 'films', {}),
      health(2, 'drafts', { status: 'warning', reason: '3 writes wait', indexed: 36_246, backlog: 3 }),
      health(3, 'broken', { status: 'error', reason: 'The index is not its record' }),
    ],
  });
  const table = within(await part('Collection health'));
  const rows = (await table.findAllByRole('row')).slice(1);
  expect(rows.map((row) => within(row).getByRole('rowheader').textContent)).toEqual([
    'brokenThe index is not its record',
    'drafts3 writes wait',
    'films',
  ]);
  const cells = rows.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  );
  expect(cells.map(([status]) => status)).toEqual(['Error', 'Warning', 'Healthy']);
  expect(cells[2]).toEqual(['Healthy', '36,249', '36,249', '0', '5.0 MB', '120']);
});

it('says what could not be loaded, and loads it again', async () => {
  let isAway = true;
  open({
    'monitoring.get': () =>
      isAway ? refuse({ code: 'UNAVAILABLE', message: 'The database is away' }) : figures('24h'),
  });
  expect(await screen.findByText('The figures could not be loaded')).toBeDefined();
  isAway = false;
  const failure = screen
    .getByText('The figures could not be loaded')
    .closest('[role="alert"]') as HTMLElement;
  await userEvent.click(within(failure).getByRole('button', { name: 'Try again' }));
  expect((await part('Uptime')).textContent).toContain('99.03 %');
});

it('asks anew for figures that are old when it is opened again', async () => {
  let requested = 2_000;
  const page = open({
    'monitoring.get': (input) => {
      const told = figures((input as { range: MonitoringRange }).range);
      return { ...told, totals: { ...told.totals, requests: requested } };
    },
  });
  await screen.findByText('2,000');
  await act(() => page.router.navigate({ to: '/projects' }));
  requested = 2_010;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  await act(() => page.router.navigate({ to: '/monitoring' }));
  expect(await screen.findByText('2,010')).toBeDefined();
});

it('says of response times that nothing was measured, where there was no request', async () => {
  const none = { requests: 0, clientErrors: 0, serverErrors: 0, p50: null, p95: null, p99: null };
  open({
    'monitoring.get': () => {
      const told = figures('24h');
      const points = told.points.map((point) => ({ ...point, ...none }));
      return { ...told, totals: { ...told.totals, ...none }, points };
    },
  });
  const panel = within(await part('Response time'));
  expect(panel.getByText(/^Nothing was measured yet in the last 24 hours/)).toBeDefined();
  expect(panel.queryByRole('img')).toBeNull();
  await userEvent.click(panel.getByRole('button', { name: 'View as table: Response time' }));
  expect(await panel.findByRole('table')).toBeDefined();
});
