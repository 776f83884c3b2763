import path from 'node:path';
import { expect, test } from 'vitest';
import { documentedLines } from './documented-lines.ts';
import { isOfOperators, operatorFault } from './operator-faults.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const linesOf = (...lines: string[]) => documentedLines(`\`\`\`sh\n${lines.join('\n')}\n\`\`\``);
const commands = (...lines: string[]) =>
  linesOf(...lines).map(({ command, variable }) => (variable === null ? command : [variable, command]));

test.each([
  [`export A=$(one "$B" | sed 's/(.*/)/')`, [['A', `one "$B" | sed 's/(.*/)/'`]]],
  ['A=$(one $(two) "it\'s )")', [['A', 'one $(two) "it\'s )"']]],
  [
    'export A=1 B="$(one)" C=$(two)   # three',
    [
      ['B', 'one'],
      ['C', 'two'],
    ],
  ],
  ['A=1 B=$(one) two', ['A=1 B=$(one) two']],
  ['echo A=$(one)', ['echo A=$(one)']],
  ['export URL=https://… KEY=…', []],
  ["A='$(one)'", []],
  ['export A', ['export A']],
])('what is run of %s', (line, expected) => {
  expect(commands(line)).toEqual(expected);
});

test('a variable with a value that stands there is defined for the lines below; what a command gives it is not run anew', () => {
  const lines = linesOf(
    "export A='a b' B=2",
    'f() { one; }',
    'C=$(two)',
    'three',
    'export URL=https://…',
    'four',
  );
  const definitions = ["export A='a b'", 'export B=2', 'f() { one; }'].join('\n');
  expect(lines).toEqual([
    { definitions, command: 'two', variable: 'C' },
    { definitions, command: 'three', variable: null },
    { definitions, command: 'four', variable: null },
  ]);
});

test.each(['A=x$(one)', 'A="x $(one)"', 'export A=`one`', 'A=$(one)$(two)', 'A=$(one'])(
  '%s could not be checked, and is refused',
  (line) => {
    expect(() => linesOf(line)).toThrow();
  },
);

test.each([
  ['export A=$(node scripts/gone.mjs start)', 'there is no scripts/gone.mjs'],
  ['export A=$(node scripts/opensearch-dev.mjs begin 3)', 'scripts/opensearch-dev.mjs knows no begin'],
  ['export A=$(node scripts/opensearch-dev.mjs start 3)', null],
  [
    'node scripts/drill-cluster.mjs --documents 100 --onli node',
    'scripts/drill-cluster.mjs has no option --onli',
  ],
  ['node scripts/drill-cluster.mjs --documents=100 --only node # --onli', null],
  ['npm run demos', 'npm runs nothing that is called demos'],
  ['npm begin', 'npm runs nothing that is called begin'],
  ['A=b npm start   # it', null],
  [
    'DATABASE_URL=postgres://… npm run migrate -- --too opensearch',
    'scripts/migrate.mjs has no option --too',
  ],
  ['DATABASE_URL=postgres://… npm run migrate -- --to opensearch --without-copy', null],
  ['npm run eval -- $DATASETS_DIR/cranfield --tiers all', 'scripts/eval.mjs has no option --tiers'],
  ['npm run eval -- $DATASETS_DIR/cranfield --tier all --model-file y', null],
  ['A=… npx vitest run src/gone.test.ts', 'there is no src/gone.test.ts'],
  ['A=… npx vitest run --reporter=verbose src/docs.test.ts', null],
  ['docker compose -f compose.gone.yaml up', 'there is no compose.gone.yaml'],
  [
    'docker compose -f compose.opensearch.yaml up -d vectora-9',
    'compose.opensearch.yaml has no service vectora-9',
  ],
  ['psql -U postgres', null],
])('what an operator types is looked up: %s', (line, fault) => {
  const [documented] = linesOf(line);
  const command = documented?.command ?? '';
  expect(isOfOperators(command)).toBe(true);
  expect(operatorFault(command, root)).toBe(fault);
});
