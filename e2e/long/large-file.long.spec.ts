import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { startWithProject } from '../account.ts';

test('a file of 100 MB is read by slices', async ({ page, baseURL }, testInfo) => {
  await startWithProject(page, baseURL ?? '');
  const file = testInfo.outputPath('large.ndjson');
  await writeLarge(file, 100 * megabyte);
  const metrics = await page.context().newCDPSession(page);
  await metrics.send('Performance.enable');
  await page.goto('/collections');
  await page.getByRole('main').getByRole('button', { name: 'Import a file' }).click();
  const dialog = page.getByRole('dialog');
  await page.getByLabel('File with documents').setInputFiles(file);
  await expect(dialog.getByLabel('Name of the collection')).toHaveValue('large');
  await dialog.getByRole('button', { name: 'Check all rows' }).click();
  const result = dialog.getByText(/^All [\d,]+ rows are good\.$/);
  let most = 0;
  await expect
    .poll(
      async () => {
        // What is held; how much garbage lies about depends on how busy the machine is.
        await metrics.send('HeapProfiler.collectGarbage');
        const { metrics: all } = await metrics.send('Performance.getMetrics');
        most = Math.max(most, all.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0);
        return result.isVisible();
      },
      { timeout: 300_000 },
    )
    .toBe(true);
  expect(most).toBeGreaterThan(0);
  expect(most / megabyte).toBeLessThan(150);
});

const megabyte = 1024 * 1024;

async function writeLarge(file: string, bytes: number): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const text = 'a sentence of some words that stands for many others. '.repeat(18);
  const lines = Array.from({ length: 1_000 }, (_, row) => JSON.stringify({ title: `Row ${row}`, text }));
  const part = `${lines.join('\n')}\n`;
  for (let written = 0; written < bytes; written += part.length) await appendFile(file, part);
}
