import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isTestThere, namedTests } from './architecture/named-tests.ts';

const file = path.join(import.meta.dirname, '../docs/promises.md');

interface Section {
  name: string;
  rows: { promise: string; proof: string }[];
}

/** By the headings; of each table what stands below its head. */
function sectionsOf(text: string): Section[] {
  const [, ...parts] = text.split(/^## /m);
  return parts.map((part) => {
    const [name = ''] = part.split('\n', 1);
    const lines = part.split('\n').filter((line) => line.startsWith('| '));
    const rows = lines.slice(1).map((line) => {
      const [, promise = '', proof = ''] = line.split(/(?<!\\) ?\| ?/);
      return { promise, proof };
    });
    return { name, rows };
  });
}

const sections = sectionsOf(readFileSync(file, 'utf8'));
const rows = sections.flatMap((section) => section.rows);

test('every part of the specification that describes the product has its promises', () => {
  const numbers = sections.map(({ name }) => /^§(\d+) /.exec(name)?.[1]);
  expect([...new Set(numbers)]).toEqual(['2', '3', '4', '5', '8', '9']);
  expect(sections.filter((section) => section.rows.length === 0)).toEqual([]);
  expect(rows.length).toBeGreaterThan(100);
});

test('no promise stands there twice, and each names what proves it', () => {
  const promises = rows.map(({ promise }) => promise);
  expect(promises.filter((promise, i) => promise === '' || promises.indexOf(promise) !== i)).toEqual([]);
  expect(rows.filter(({ proof }) => namedTests(proof).length === 0)).toEqual([]);
});

test('whatever proves a promise is a test that is there', () => {
  expect(rows.flatMap(({ proof }) => namedTests(proof)).filter((named) => !isTestThere(named))).toEqual([]);
  // Nothing of a row is left over that could have been meant for one.
  const rest = rows.map(({ proof }) => proof.replaceAll(/`[^`]+`: "[^"]+"(?:; )?/g, '')).filter(Boolean);
  expect(rest).toEqual([]);
});

test('a title or a file that is not there is noticed', () => {
  const named = '`src/promises.test.ts`: "a title or a file that is not there is noticed"';
  expect(namedTests(named).every(isTestThere)).toBe(true);
  const gone = ['a title that ', 'is gone'].join('');
  const wrong = `\`src/promises.test.ts\`: "${gone}"; \`src/gone.test.ts\`: "a title or a file that is not there is noticed"`;
  expect(namedTests(wrong).map(isTestThere)).toEqual([false, false]);
});
