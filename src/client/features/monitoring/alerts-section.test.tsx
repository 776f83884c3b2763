import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { renderConsole } from '#client/testing/render.tsx';
import { ada, workspaceRow } from '#client/testing/rows.ts';
import { serveConsole } from '#client/testing/serve-console.ts';
import type { AlertRule, Alert as RaisedAlert } from '#shared/alerts.ts';
import type { Role } from '#shared/roles.ts';

const rule: AlertRule = {
  id: 1,
  workspaceId: 1,
  name: 'Too many errors',
  type: 'error',
  metric: 'error_rate',
  comparison: 'above',
  threshold: 5,
  minutes: 5,
  isActive: true,
  value: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
};

const alert = (id: number, status: RaisedAlert['status']): RaisedAlert => ({
  ...rule,
  id,
  ruleId: 1,
  name: `Alert ${id}`,
  status,
  value: 12,
  raisedAt: new Date().toISOString(),
  resolvedAt: status === 'active' ? null : new Date().toISOString(),
});

/** The fourth was raised long before the ten that are recent. */
const all = [...Array.from({ length: 10 }, (_, i) => alert(20 - i, 'resolved')), alert(4, 'active')];

function open(role: Role, rules: AlertRule[] = [rule]) {
  const { calls } = serveConsole(ada, {
    'workspaces.list': () => [{ ...workspaceRow(1, 'Acme'), role }],
    'monitoring.get': () => new Promise(() => undefined),
    'collectionHealth.list': () => [],
    'alertRules.list': () => rules,
    'alertRules.update': (input) => ({ ...rule, ...(input as object) }),
    'alerts.list': (input) => {
      const { status, per_page } = input as { status?: string; per_page: number };
      return all.filter((one) => !status || one.status === status).slice(0, per_page);
    },
  });
  renderConsole('/monitoring');
  return calls;
}

const panel = async (name: string) => within(await screen.findByRole('region', { name }));

it('an alert that is active stands first, however long ago it was raised', async () => {
  open('owner');
  const alerts = await panel('Recent alerts');
  expect(await alerts.findByText('1 active')).toBeDefined();
  const rows = alerts.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(rows).toHaveLength(11);
  expect(rows[0]).toContain('Alert 4');
  expect(rows[0]).toContain('Active');
  expect(rows[1]).toContain('Alert 20');
});

it('an editor switches a rule off', async () => {
  const calls = open('editor');
  const rules = await panel('Alert rules');
  await userEvent.click(await rules.findByRole('switch', { name: 'Too many errors is active' }));
  const sent = calls.filter(({ path }) => path === 'alertRules.update').map(({ input }) => input);
  expect(sent).toEqual([{ id: 1, isActive: false }]);
});

it('a viewer reads rules and is offered nothing to change them with', async () => {
  open('viewer');
  const rules = await panel('Alert rules');
  expect(await rules.findByText('Too many errors')).toBeDefined();
  expect(rules.queryAllByRole('button')).toEqual([]);
  expect(rules.queryAllByRole('switch')).toEqual([]);
});

it('a viewer of a workspace without rules hears who makes them', async () => {
  open('viewer', []);
  const rules = await panel('Alert rules');
  expect(await rules.findByText(/Its editors say what is too much/)).toBeDefined();
  expect(rules.queryByRole('button', { name: 'New rule' })).toBeNull();
});
