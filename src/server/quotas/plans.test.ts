import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PLAN_LIMITS, type Plan, plans } from '#shared/plans.ts';

const counted = new Intl.NumberFormat('en-US');
const gigabyte = 1024 ** 3;

function asBytes(bytes: number): string {
  return bytes < gigabyte ? `${bytes / 1024 ** 2} MB` : `${bytes / gigabyte} GB`;
}

function asRow(plan: Plan): string {
  const { collections, documents, bytes, keys, members, requests } = PLAN_LIMITS[plan];
  const told = (limit: number | null) => (limit === null ? 'any' : counted.format(limit));
  const cells = [told(collections), told(documents), bytes === null ? 'any' : asBytes(bytes)];
  return `| \`${plan}\` | ${[...cells, told(keys), told(members), told(requests)].join(' | ')} |`;
}

test('the documentation tells what each plan gives', () => {
  const text = readFileSync('docs/operations.md', 'utf8');
  for (const plan of plans) expect(text).toContain(asRow(plan));
});

test('a larger plan gives more of everything', () => {
  for (const [i, plan] of plans.slice(1).entries()) {
    for (const [quota, limit] of Object.entries(PLAN_LIMITS[plan])) {
      const before = PLAN_LIMITS[plans[i] ?? 'free'][quota as keyof (typeof PLAN_LIMITS)[Plan]];
      expect(limit ?? Number.POSITIVE_INFINITY, `${plan} ${quota}`).toBeGreaterThan(before ?? 0);
    }
  }
});
