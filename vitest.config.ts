import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { checkedReads } from './src/server/engine/testing/checked-reads.ts';

export default defineConfig({
  test: {
    // Many tests wait for processes of their own: with a worker a core, half the machine would wait with them.
    maxWorkers: availableParallelism() + 1,
    // What is waited for ends the wait; on a busy machine one second is soon over.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        plugins: [checkedReads()],
        test: {
          name: 'engine',
          include: ['src/server/engine/**/*.test.ts', 'src/shared/**/*.test.ts'],
          testTimeout: 60_000,
          // Nothing in the engine outlives a call, so its files may share what they import.
          pool: 'threads',
          isolate: false,
        },
      },
      // What the sources and the built console are made of.
      {
        extends: true,
        test: { name: 'structure', include: ['src/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['src/server/**/*.test.ts'],
          exclude: ['src/server/engine/**'],
          globalSetup: ['src/server/testing/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'client',
          include: ['src/client/**/*.test.{ts,tsx}'],
          environment: 'happy-dom',
        },
      },
    ],
  },
});
