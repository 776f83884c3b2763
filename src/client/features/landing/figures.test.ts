// @vitest-environment node
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { figures } from './figures.tsx';

const root = path.join(import.meta.dirname, '../../../..');
const rows = readFileSync(path.join(root, 'docs/figures.md'), 'utf8').split('\n');

it.each(figures)('$value is in docs/figures.md with its command and date', ({ value, command }) => {
  const row = rows.find((line) => line.startsWith(`| ${value} |`));
  expect(row).toContain(`node ${command}`);
  expect(row).toMatch(/\| \d{4}-\d\d-\d\d \|/);
  expect(readFileSync(path.join(root, command), 'utf8')).not.toBe('');
});
