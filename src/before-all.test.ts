// @vitest-environment happy-dom
import { expect, it } from 'vitest';

it('keeps zod from compiling code before zod is there', async () => {
  await import('./client/before-all.ts');
  const { config } = await import('zod');
  expect(config().jitless).toBe(true);
});
