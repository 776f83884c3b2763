import { expect, it } from 'vitest';

it('keeps zod from compiling code before zod is there', async () => {
  await import('./before-all.ts');
  const { config } = await import('zod');
  expect(config().jitless).toBe(true);
});
