import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateRules } from '#server/alerts/evaluate-rules.ts';
import {
  type Answer,
  call,
  createCollection,
  createKey,
  createProject,
  must,
  signUp,
} from '#server/testing/callers.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { Alert, AlertRule } from '#shared/alerts.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';

const minuteMs = 60_000;
const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
let kit: Kit;
beforeAll(async () => {
  kit = await startKit({ clock: time.clock });
});
afterAll(() => kit.close());

async function begin() {
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  const { key } = await createKey(kit, owner, { projectId: project.id });
  const { id: workspaceId } = owner.workspace;
  const ask = <T>(method: string, path: string, body?: object) =>
    call<T>(kit, { method, path: `/api/${path}`, body, as: owner.as });
  const rules = () => must(ask<AlertRule[]>('GET', `alert-rules?workspaceId=${workspaceId}`));
  const alerts = (status = '') => must(ask<Alert[]>('GET', `alerts?workspaceId=${workspaceId}${status}`));
  const create = (rule: object) =>
    ask<AlertRule>('POST', 'alert-rules', {
      workspaceId,
      name: 'Errors',
      metric: 'error_rate',
      threshold: 10,
      ...rule,
    });
  const note = (status: number, ms = 1) => kit.deps.monitoring.requests.note({ workspaceId, status, ms });
  const evaluate = () => evaluateRules(kit.deps);
  return { owner, key, workspaceId, ask, rules, alerts, create, note, evaluate };
}

test('a rule raises one alert when its condition is met over its minutes, and resolves it when it is no more', async () => {
  const { create, alerts, rules, note, evaluate } = await begin();
  const rule = await must(create({ minutes: 5 }));
  expect(rule).toMatchObject({ type: 'warning', comparison: 'above', isActive: true, minutes: 5 });
  time.pass(minuteMs);
  await evaluate();
  expect(await alerts()).toEqual([]);

  for (let i = 0; i < 8; i += 1) note(200);
  note(404);
  // The minute has not ended yet.
  note(500);
  await evaluate();
  expect(await alerts()).toEqual([]);
  time.pass(minuteMs);
  await evaluate();
  await evaluate();
  const [raised, ...more] = await alerts('&status=active');
  expect(more).toEqual([]);
  expect(raised).toMatchObject({
    name: 'Errors',
    type: 'warning',
    status: 'active',
    ruleId: rule.id,
    resolvedAt: null,
  });
  expect(raised?.value).toBeGreaterThan(10);
  expect((await rules())[0]?.value).toBe(raised?.value);

  // Still within the five minutes.
  time.pass(3 * minuteMs);
  for (let i = 0; i < 4; i += 1) note(200);
  await evaluate();
  expect(await alerts('&status=active')).toHaveLength(1);
  time.pass(3 * minuteMs);
  await evaluate();
  expect(await alerts()).toMatchObject([
    { id: raised?.id, status: 'resolved', resolvedAt: time.clock().toISOString() },
  ]);
  expect(await alerts('&status=active')).toEqual([]);
});

test.each([
  ['response_p95', { threshold: 900 }, (value: number) => value > 900],
  ['response_p99', { threshold: 900 }, (value: number) => value > 900],
  ['requests_per_minute', { threshold: 3.5, minutes: 2 }, (value: number) => value === 4],
  ['requests_per_minute', { threshold: 30, minutes: 2, comparison: 'below' }, (value: number) => value === 4],
  ['server_error_rate', { threshold: 20 }, (value: number) => value === 25],
])('%s is measured', async (metric, rule, isRight) => {
  const { create, alerts, note, evaluate } = await begin();
  // What it took to begin is not counted.
  time.pass(5 * minuteMs);
  for (const status of [200, 200, 200, 503, 200, 200, 200, 503]) note(status, 1_000);
  time.pass(minuteMs);
  await must(create({ metric, minutes: 1, ...rule }));
  await evaluate();
  const [raised] = await alerts();
  expect(raised).toMatchObject({ metric, status: 'active' });
  expect(isRight(raised?.value ?? Number.NaN), String(raised?.value)).toBe(true);
});

test('the machine is measured for whoever asks', async () => {
  const { create, alerts, rules, evaluate } = await begin();
  await kit.deps.monitoring.host.sample();
  time.pass(minuteMs);
  await must(create({ metric: 'memory', threshold: 0.001, type: 'info' }));
  await must(create({ metric: 'disk', threshold: 100, comparison: 'above' }));
  await evaluate();
  expect(await alerts()).toMatchObject([{ metric: 'memory', type: 'info' }]);
  for (const { value } of await rules()) expect(value).toBeGreaterThan(0);
});

test('a rule that is paused, changed or deleted ends what it raised; the alert tells what it was raised for', async () => {
  const { ask, create, alerts, note, evaluate, workspaceId } = await begin();
  const { id } = await must(create({ minutes: 60, type: 'error' }));
  note(500);
  time.pass(minuteMs);
  await evaluate();
  expect(await alerts()).toMatchObject([{ status: 'active', threshold: 10 }]);

  await must(ask('PUT', `alert-rules/${id}`, { isActive: false, name: 'Quiet' }));
  expect(await alerts()).toMatchObject([{ status: 'resolved', name: 'Errors', type: 'error' }]);
  await evaluate();
  expect(await alerts()).toHaveLength(1);

  await must(ask('PUT', `alert-rules/${id}`, { isActive: true }));
  await evaluate();
  expect(await alerts()).toMatchObject([{ status: 'active', name: 'Quiet' }, { status: 'resolved' }]);
  await must(ask('PUT', `alert-rules/${id}`, { threshold: 100 }));
  await evaluate();
  expect(await alerts('&status=active')).toEqual([]);

  await must(ask('PUT', `alert-rules/${id}`, { threshold: 1 }));
  await evaluate();
  expect(await alerts('&status=active')).toHaveLength(1);
  await must(ask('DELETE', `alert-rules/${id}`));
  expect(await alerts('&status=active')).toEqual([]);
  expect((await alerts())[0]).toMatchObject({ ruleId: null, threshold: 1, status: 'resolved' });

  // One that another server raised while the rule was being paused.
  await kit.deps.record.sql`
    insert into alerts (workspace_id, name, type, metric, comparison, threshold, minutes, value, raised_at)
    values (${workspaceId}, 'x', 'info', 'cpu', 'above', 1, 1, 1, now())`;
  await evaluate();
  expect(await alerts('&status=active')).toEqual([]);
});

test('servers that look at the same time raise one alert', async () => {
  const { create, alerts, note } = await begin();
  await must(create({ minutes: 1, threshold: 1 }));
  note(500);
  await kit.deps.monitoring.requests.flush();
  time.pass(minuteMs);
  await Promise.all(Array.from({ length: 5 }, () => evaluateRules(kit.deps)));
  expect(await alerts()).toHaveLength(1);
});

test('a rule that is deleted while it is judged keeps nobody else’s alert from being raised', async () => {
  const [first, second] = [await begin(), await begin()];
  const doomed = await must(first.create({ minutes: 1, threshold: 1 }));
  const paused = await must(first.create({ minutes: 1, threshold: 1 }));
  await must(second.create({ minutes: 1, threshold: 1 }));
  for (const { note } of [first, second]) note(500);
  time.pass(minuteMs);
  const { requests, host } = kit.deps.monitoring;
  const readAll: typeof requests.readAll = async (db, query) => {
    const found = await requests.readAll(db, query);
    await must(first.ask('DELETE', `alert-rules/${doomed.id}`));
    await must(first.ask('PUT', `alert-rules/${paused.id}`, { isActive: false }));
    return found;
  };
  await evaluateRules({ ...kit.deps, monitoring: { requests: { readAll }, host } });
  expect(await second.alerts()).toMatchObject([{ status: 'active', threshold: 1 }]);
  expect(await first.alerts()).toEqual([]);
});

test('of what is resolved a workspace has the last', async () => {
  const { create, alerts, note, evaluate, workspaceId } = await begin();
  const rule = await must(create({ minutes: 1, threshold: 1 }));
  await kit.deps.record.sql`
    insert into alerts (workspace_id, rule_id, name, type, metric, comparison, threshold, minutes, value, raised_at, resolved_at)
    select ${workspaceId}, ${rule.id}, n::text, 'info', 'cpu', 'above', 1, 1, 1, now(), now()
    from generate_series(1, ${limits.alertsKeptMax + 20}) n`;
  note(500);
  time.pass(minuteMs);
  await evaluate();
  expect(await alerts('&status=active')).toHaveLength(1);
  const [kept] = await kit.deps.record.sql`
    select count(*)::int as count, min(name::int) filter (where resolved_at is not null) as oldest
    from alerts where workspace_id = ${workspaceId}`;
  expect(kept).toEqual({ count: limits.alertsKeptMax, oldest: 22 });
});

test('those who look at the workspace hear that one was raised, and that it is resolved', async () => {
  const { create, note, evaluate, workspaceId, alerts } = await begin();
  const heard: string[] = [];
  kit.deps.record.onAct((act) => {
    if (act?.workspaceId === workspaceId) heard.push(`${act.action} ${act.targetId}`);
  });
  await must(create({ minutes: 1, threshold: 1 }));
  note(500);
  time.pass(minuteMs);
  await evaluate();
  const [raised] = await alerts();
  const change = `alerts.change ${raised?.id}`;
  await expect.poll(() => heard).toContain(change);
  time.pass(minuteMs);
  await evaluate();
  await expect.poll(() => heard.filter((one) => one === change)).toHaveLength(2);
});

const messageOf = ({ status, body }: Answer<unknown>) => `${status} ${(body as ErrorBody).message}`;

test('a threshold that cannot be reached is refused, and the rule after the last', async () => {
  const { ask, create, workspaceId } = await begin();
  expect(messageOf(await create({ threshold: 101 }))).toBe('400 threshold: is more than the metric can be');
  expect(messageOf(await create({ threshold: -1 }))).toContain('400 threshold');
  expect(messageOf(await create({ minutes: 61 }))).toContain('400 minutes');
  expect(messageOf(await create({ metric: 'weather' }))).toContain('400 metric');
  const { id } = await must(create({ metric: 'response_p95', threshold: 5_000 }));
  expect(messageOf(await ask('PUT', `alert-rules/${id}`, { metric: 'cpu' }))).toContain('400 threshold');
  await kit.deps.record.sql`
    insert into alert_rules (workspace_id, name, type, metric, comparison, threshold, minutes)
    select ${workspaceId}, 'x', 'info', 'cpu', 'above', 1, 1 from generate_series(2, ${limits.alertRulesMax})`;
  expect(messageOf(await create({}))).toBe(`422 A workspace has at most ${limits.alertRulesMax} alert rules`);
});

test('a member without the role sees rules and does not change them', async () => {
  const { create, workspaceId } = await begin();
  const { id } = await must(create({}));
  const viewer = await signUp(kit);
  await kit.deps.record.sql`
    insert into members (workspace_id, user_id, role) values (${workspaceId}, ${viewer.user.id}, 'viewer')`;
  const ask = (method: string, path: string, body?: object) =>
    call(kit, { method, path: `/api/${path}`, body, as: viewer.as });
  expect((await ask('GET', `alert-rules?workspaceId=${workspaceId}`)).status).toBe(200);
  expect((await ask('GET', `alerts?workspaceId=${workspaceId}`)).status).toBe(200);
  expect((await ask('PUT', `alert-rules/${id}`, { threshold: 2 })).status).toBe(403);
  expect((await ask('DELETE', `alert-rules/${id}`)).status).toBe(403);
});

test('changes that a search cluster lacks raise an alert of their workspace, until they are there', async () => {
  const { workspaceId, create, rules, alerts, evaluate, owner } = await begin();
  const other = await begin();
  const { sql } = kit.deps.record;
  const project = await createProject(kit, owner, 'Behind');
  const { id } = await createCollection(kit, owner, { projectId: project.id });
  for (const { create: make } of [{ create }, other])
    await must(make({ metric: 'index_backlog', threshold: 0, comparison: 'above' }));
  const note = (version: number, given: { due: string; tries: number; fault: string | null }) => sql`
    insert into index_outbox (collection_id, version, due_at, tries, fault)
    values (${id}, ${version}, now() + ${given.due}::interval, ${given.tries}, ${given.fault})`;
  // Whoever wrote it is about to bring it.
  await note(1, { due: '1 minute', tries: 0, fault: null });
  await evaluate();
  expect((await rules()).map(({ value }) => value)).toEqual([0]);
  expect(await alerts()).toEqual([]);

  await note(2, { due: '-1 second', tries: 0, fault: null });
  await note(3, { due: '1 minute', tries: 1, fault: null });
  await note(4, { due: '1 minute', tries: 0, fault: 'not taken' });
  await evaluate();
  expect(await alerts('&status=active')).toMatchObject([{ workspaceId, metric: 'index_backlog', value: 3 }]);
  expect(await other.alerts()).toEqual([]);
  await sql`delete from index_outbox where collection_id = ${id}`;
  await evaluate();
  expect(await alerts('&status=active')).toEqual([]);
  expect(await alerts('&status=resolved')).toHaveLength(1);
});
