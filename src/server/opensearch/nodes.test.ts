import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CutLine, openCutLine } from '#server/testing/cut-line.ts';
import { describeWithCluster } from '#server/testing/search-cluster.ts';
import { Cluster, clientOf } from './cluster.ts';
import type { Nodes } from './nodes.ts';

describeWithCluster('nodes of a cluster', (addresses) => {
  let lines: CutLine[];
  let nodes: Nodes;
  let cluster: Cluster;

  beforeAll(async () => {
    const [node = ''] = addresses;
    lines = [await openCutLine(node), await openCutLine(node)];
    nodes = await clientOf(lines.map(({ url }) => url));
    cluster = new Cluster(nodes);
  });
  afterAll(async () => {
    await cluster.close();
    for (const line of lines) await line.close();
  });

  const ask = () => cluster.ask<{ version: object }>({ method: 'GET', path: '/' });
  const askAll = () => Promise.all(Array.from({ length: 6 }, ask));
  const take = (change: Partial<Pick<CutLine, 'isCut' | 'isSilent'>>, which = lines) => {
    for (const line of which) Object.assign(line, change);
  };
  const back = async () => {
    await expect.poll(() => ask().then(() => nodes.answering)).toBe(2);
  };

  test.each(['isCut', 'isSilent'] as const)(
    'one that vanishes (%s): the others answer, and it is asked again when it is back',
    async (how) => {
      take({ [how]: true }, lines.slice(0, 1));
      expect(await askAll()).toHaveLength(6);
      expect(nodes.answering).toBe(1);
      expect(await askAll()).toHaveLength(6);
      take({ [how]: false });
      await back();
    },
  );

  test.each(['isCut', 'isSilent'] as const)(
    'all vanish (%s): whoever asks is told so, and answered when one is back',
    async (how) => {
      take({ [how]: true });
      const asked = await Promise.allSettled([ask(), ask(), ask()]);
      for (const each of asked)
        expect(each).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
      take({ [how]: false }, lines.slice(1));
      await expect.poll(() => ask().catch(() => null)).toMatchObject({ version: expect.anything() });
      take({ [how]: false });
      await back();
    },
  );

  test('an answer that takes long is waited for, and given up by who asked', async () => {
    const stop = new AbortController();
    const asked = cluster.ask(
      { method: 'GET', path: '/_cluster/health?wait_for_nodes=99&timeout=60s' },
      stop.signal,
    );
    const seen = expect(asked).rejects.toThrow('gone');
    await ask();
    stop.abort(new Error('gone'));
    await seen;
    expect(nodes.answering).toBe(2);
  });
});
