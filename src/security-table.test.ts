import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isTestThere, namedTests } from './architecture/named-tests.ts';

const root = path.resolve(import.meta.dirname, '..');
const table = readFileSync(path.join(root, 'docs/security.md'), 'utf8');

interface Row {
  no: string;
  level: string;
  how: string;
}

const rows: Row[] = [...table.matchAll(/^\| (\d+\.\d+\.\d+) \| (\d) \| [^|]+ \| (.+) \|$/gm)].map(
  ([, no = '', level = '', how = '']) => ({ no, level, how }),
);

/** Of ASVS 5.0.0, by chapter: how many requirements are of level 1 and of level 2. */
const asked: Record<string, [one: number, two: number]> = {
  1: [8, 19],
  2: [4, 7],
  3: [8, 11],
  4: [2, 8],
  5: [4, 5],
  6: [13, 22],
  7: [6, 12],
  8: [4, 3],
  9: [4, 3],
  10: [5, 24],
  11: [3, 11],
  12: [3, 6],
  13: [1, 12],
  14: [2, 7],
  15: [3, 10],
  16: [0, 16],
  17: [0, 7],
};

test('no requirement of levels 1 and 2 is left out, and none has two rows', () => {
  expect(new Set(rows.map(({ no }) => no)).size).toBe(rows.length);
  const found = (chapter: string, level: string) =>
    rows.filter((row) => row.no.startsWith(`${chapter}.`) && row.level === level).length;
  const counts = Object.keys(asked).map((chapter) => [chapter, [found(chapter, '1'), found(chapter, '2')]]);
  expect(Object.fromEntries(counts)).toEqual(asked);
});

test('each row names a test, or says why there is none', () => {
  const odd = rows.filter(
    (row) => namedTests(row.how).length === 0 && !/^(does not apply|as it is|\*\*open\*\*): ./.test(row.how),
  );
  expect(odd).toEqual([]);
  expect(rows.flatMap(({ how }) => namedTests(how)).length).toBeGreaterThan(100);
});

test('each test that is named exists', () => {
  expect(namedTests(table).filter((named) => !isTestThere(named))).toEqual([]);
  expect(isTestThere({ file: 'src/security-table.test.ts', title: 'each test that is named exists' })).toBe(
    true,
  );
  const gone = ['each test ', 'that is not there'].join('');
  expect(isTestThere({ file: 'src/security-table.test.ts', title: gone })).toBe(false);
});

test('each test and script that an attack names exists, and each attack script is named', () => {
  const attacks = table.slice(table.indexOf('\n## Attacks'), table.indexOf('\n### Faults that were found'));
  const named = [...attacks.matchAll(/`([\w-]+\.(?:test\.ts|mjs))`/g)].map(([, name = '']) => name);
  const tests = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const scripts = readdirSync(path.join(root, 'scripts'), { recursive: true, encoding: 'utf8' });
  const there = new Set([...tests, ...scripts].map((file) => path.basename(file)));
  expect(named.filter((name) => !there.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(40);
  const attack = readFileSync(path.join(root, 'scripts/attacks/run-all.mjs'), 'utf8');
  const own = readdirSync(path.join(root, 'scripts/attacks')).filter((name) => !attack.includes(`'${name}'`));
  expect(own.filter((name) => !named.includes(name))).toEqual([]);
  const judges = (name: string) =>
    /from '\.\/(verdict|burst)\.mjs'/.test(readFileSync(path.join(root, 'scripts/attacks', name), 'utf8'));
  expect(own.filter((name) => !judges(name))).toEqual([]);
});

test('the counts on top are those of the rows', () => {
  const kinds = [/^does not apply: /, /^`/, /^as it is: /, /^\*\*open\*\*: /];
  for (const level of ['1', '2']) {
    const own = rows.filter((row) => row.level === level);
    const counts = kinds.map((kind) => own.filter(({ how }) => kind.test(how)).length);
    expect(table).toContain(`| ${level} | ${own.length} | ${counts.join(' | ')} |`);
  }
});

test('programs are started by the embedded database alone', () => {
  const server = path.join(root, 'src/server');
  const files = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file),
  );
  const starters = files.filter((file) =>
    readFileSync(path.join(server, file), 'utf8').includes('child_process'),
  );
  expect(starters.length).toBeGreaterThan(0);
  expect(starters.filter((file) => !file.startsWith('db/embedded/'))).toEqual([]);
});

test('no text is run as a program, and none is put into a page as HTML', () => {
  const folder = path.join(root, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)testing\//.test(file),
  );
  const runs =
    /\beval\(|\bnew Function\(|node:vm|HTML\s*=[^=]|insertAdjacentHTML|document\.write|dangerouslySet/;
  const found = files.filter((file) => runs.test(readFileSync(path.join(folder, file), 'utf8')));
  // It runs the word "gc".
  expect(found).toEqual(['server/indexes/host/collect-garbage.ts']);
});
