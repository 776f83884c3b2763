import { expect, test } from 'vitest';
import { evaluateRules } from '#server/alerts/evaluate-rules.ts';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { openCutLine } from '#server/testing/cut-line.ts';
import { startKit } from '#server/testing/kit.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { Alert } from '#shared/alerts.ts';
import { readName } from './index-states.ts';

const metricsToken = 'a token for tests, long enough to be one';

describeWithCluster('what a cluster lacks', (nodes) => {
  test('is told by the metrics, and raises the alert of its workspace until it is there', async () => {
    const line = await openCutLine(nodes[0] ?? '');
    const kit = await startKit({ settings: { openSearch: { nodes: [line.url] }, metricsToken } });
    const { owner, collection } = await createTenant(kit);
    const at = `/api/collections/${collection.id}`;
    const ask = <T>(method: string, path: string, body?: object) =>
      call<T>(kit, { method, path, body, as: owner.as });
    const write = (id: string) => ask('POST', `${at}/documents`, { id, title: 'torch' });
    /** Versions that are not there, and those that it did not take. Looked at every ten seconds. */
    const behind = async () => {
      const answer = await kit.app.request('/metrics', {
        headers: { authorization: `Bearer ${metricsToken}` },
      });
      const text = await answer.text();
      return ['cluster', 'repair'].map((what) =>
        Number(new RegExp(`^vectora_waiting{for="${what}"} (\\d+)$`, 'm').exec(text)?.[1]),
      );
    };
    const isTold = (figures: number[]) => expect.poll(behind, { timeout: 60_000 }).toEqual(figures);
    const { id: workspaceId } = owner.workspace;
    const alerts = async () => {
      await evaluateRules(kit.deps);
      const told = await must(ask<Alert[]>('GET', `/api/alerts?workspaceId=${workspaceId}&status=active`));
      return told.map(({ metric, value }) => `${metric} ${value}`);
    };
    const rule = { workspaceId, name: 'behind', metric: 'index_backlog', comparison: 'above', threshold: 0 };
    await must(ask('POST', '/api/alert-rules', rule));
    await must(write('a'));
    await isTold([0, 0]);
    expect(await alerts()).toEqual([]);

    line.isCut = true;
    expect((await write('b')).status).toBe(503);
    await isTold([1, 0]);
    await expect.poll(alerts, { timeout: 60_000 }).toEqual(['index_backlog 1']);
    line.isCut = false;
    await isTold([0, 0]);
    expect(await alerts()).toEqual([]);

    // No vector has room then.
    const index = `${nodes[0]}/${await readName(kit.deps.record.sql, collection.id)}-*/_settings`;
    const limit = { 'index.mapping.nested_objects.limit': 0 };
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(index, { method: 'PUT', headers, body: JSON.stringify(limit) })).status).toBe(200);
    await write('c');
    await isTold([0, 1]);
    expect(await alerts()).toEqual(['index_backlog 1']);
    await must(ask('POST', `${at}/repair`));
    await isTold([0, 0]);
    expect(await alerts()).toEqual([]);
    await dropFromCluster(nodes, kit.deps.record);
    await kit.close();
    await line.close();
  });
});
