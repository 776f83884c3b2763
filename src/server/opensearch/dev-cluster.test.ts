import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { describeWithCluster } from '#server/testing/search-cluster.ts';

describeWithCluster('node scripts/opensearch-dev.mjs', () => {
  test('started twice at once in one folder starts one cluster, whose address both tell', async () => {
    const run = await mkdtemp(path.join(tmpdir(), 'vectora-nodes-'));
    const env = { ...process.env, OPENSEARCH_RUN: run, OPENSEARCH_HEAP: '512m', OPENSEARCH_SHORT: '1' };
    const dev = async (...args: string[]) => {
      const command = [path.resolve('scripts/opensearch-dev.mjs'), ...args];
      return (await promisify(execFile)(process.execPath, command, { env })).stdout.trim();
    };
    try {
      const [one, two] = await Promise.all([dev('start'), dev('start')]);
      expect(one).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(two).toBe(one);
      expect((await fetch(one)).status).toBe(200);
    } finally {
      await dev('stop');
      await rm(run, { recursive: true, force: true });
    }
  });
});
