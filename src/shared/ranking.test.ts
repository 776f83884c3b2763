import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rankingConstants } from './ranking.ts';

test('docs/search.md tells of each ranking constant what it is', () => {
  const text = readFileSync('docs/search.md', 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| (.*) \|$/gm)];
  const told = rows.map(([, name, ...rest]) => [name, ...rest.slice(0, 3).map(Number), rest[3]]);
  const own = Object.entries(rankingConstants).map(([name, constant]) => {
    const { default: usual, min, max, meaning } = constant;
    return [name, usual, min, max, meaning];
  });
  expect(told).toEqual(own);
});
