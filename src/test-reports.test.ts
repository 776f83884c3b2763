import { expect, it } from 'vitest';
import {
  afterSecondAttempt,
  isCounterexample,
  readPlaywright,
  readVitest,
  tellTest,
} from '../scripts/test-reports.mjs';

const test = (fullName: string, status: string, ...failureMessages: string[]) => ({
  fullName,
  status,
  failureMessages,
});
const vitest = (testResults: { name: string; assertionResults: { status: string }[] }[]) => {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const count = (status: string) => all.filter((one) => one.status === status).length;
  return {
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped'),
    numTodoTests: 0,
    testResults,
  };
};

const first = readVitest(
  vitest([
    { name: '/p/a.test.ts', assertionResults: [test('a is', 'passed'), test('a was', 'failed', 'late')] },
    { name: '/p/b.test.ts', assertionResults: [test('a was', 'failed', 'wrong'), test('b', 'skipped')] },
  ]),
);

it('a test that fails twice has failed, one that passes then is told besides', () => {
  const second = readVitest(
    vitest([
      { name: '/p/a.test.ts', assertionResults: [test('a is', 'passed'), test('a was', 'passed')] },
      { name: '/p/b.test.ts', assertionResults: [test('a was', 'failed', 'wrong')] },
    ]),
  );
  expect(afterSecondAttempt(first, second)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    failures: [{ file: '/p/b.test.ts', name: 'a was', message: 'wrong' }],
    unsteady: [{ file: '/p/a.test.ts', name: 'a was', message: 'late' }],
  });
});

it('a second attempt that breaks down, or whose file cannot be read, takes nothing back', () => {
  expect(afterSecondAttempt(first, { passed: 0, failed: 1, skipped: 0 })).toBe(first);
  const ended = { file: '', name: '', message: 'ended with 1' };
  expect(afterSecondAttempt(first, { ...first, failures: [ended] })).toEqual(first);
  const broken = { status: 'failed', message: 'no such module', assertionResults: [] };
  const second = readVitest(
    vitest([
      { name: '/p/a.test.ts', ...broken },
      { name: '/p/b.test.ts', ...broken },
    ]),
  );
  expect(second.failed).toBe(2);
  expect(afterSecondAttempt(first, second)).toEqual(first);
});

it('a counterexample of a property is told from what may have been late', () => {
  const of = (message: string) => isCounterexample({ file: 'a.test.ts', name: 'a', message });
  expect(of('Error: Property failed after 7 tests\n{ seed: 1 }')).toBe(true);
  expect(of('Error: Test timed out in 300000ms.')).toBe(false);
});

it('of the browser, what failed in both attempts and what in the first', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'a.spec.ts',
    tests: [{ status, results: [{ errors: [{ message: `${title} hangs` }] }, { errors: [] }] }],
  });
  const suites = [
    {
      title: 'a.spec.ts',
      file: 'a.spec.ts',
      specs: [spec('one', 'expected'), spec('two', 'flaky')],
      suites: [{ title: 'group', file: 'a.spec.ts', specs: [spec('three', 'unexpected')] }],
    },
  ];
  const stats = { expected: 1, flaky: 1, unexpected: 1, skipped: 0 };
  expect(readPlaywright({ stats, errors: [], suites })).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    failures: [{ file: 'e2e/a.spec.ts', name: 'group three', message: 'three hangs' }],
    unsteady: [{ file: 'e2e/a.spec.ts', name: 'two', message: 'two hangs' }],
  });
});

it('is told by its file, its name and its first lines, without colours', () => {
  const message = [
    '\u001B[31mwrong\u001B[39m',
    'at /p/node_modules/a.js:1',
    ...Array.from({ length: 20 }, (_, line) => `at ${line}`),
  ];
  const told = tellTest({ file: '/p/src/a.test.ts', name: 'a was', message: message.join('\n') }, '/p');
  expect(told.split('\n')).toHaveLength(9);
  expect(told).toMatch(/^ {2}src\/a\.test\.ts: a was\n {6}wrong\n {6}at 0\n/);
});
