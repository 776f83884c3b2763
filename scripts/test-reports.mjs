// What the reports of Vitest and Playwright say: how many, which failed with what words, and which passed in a second attempt.
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Of what a test failed with, the lines that are told again at the end. */
const toldLines = 8;

/**
 * @typedef {{ file: string; name: string; message: string }} FailedTest  `name` is whole, of its groups too; empty for a file that cannot be read, and
 * `file` is empty for a runner that broke down
 */

/** @typedef {{ passed: number; failed: number; skipped: number; failures: FailedTest[]; unsteady: FailedTest[] }} Outcome */

/** @returns {Outcome} */
export function readVitest(report) {
  const tests = report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({
        file,
        name: fullName,
        message: failureMessages?.join('\n') ?? '',
      })),
  );
  // A file that cannot even be loaded has no tests to fail.
  const broken = report.testResults
    .filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
    .map(({ name: file, message }) => ({ file, name: '', message: message ?? '' }));
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [...tests, ...broken],
    unsteady: [],
  };
}

/**
 * A test counts as passed that failed in the first and in no part of the second.
 * @param {Outcome} first
 * @param {Partial<Outcome>} second  of whole files; one that broke down as a whole tells no failures
 * @returns {Outcome}
 */
export function afterSecondAttempt(first, second) {
  if (!second.failures) return first;
  const isIn = (test) => (other) =>
    other.file === '' || (other.file === test.file && (other.name === test.name || other.name === ''));
  const unsteady = first.failures.filter((test) => !second.failures.some(isIn(test)));
  return {
    ...first,
    passed: first.passed + unsteady.length,
    failed: first.failed - unsteady.length,
    failures: first.failures.filter((test) => !unsteady.includes(test)),
    unsteady,
  };
}

/** @returns {Outcome} with Playwright's own second attempts */
export function readPlaywright({ stats, errors, suites }) {
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    skipped: stats.skipped,
    failures: [
      ...testsOf(suites, 'unexpected'),
      ...errors.map(({ message }) => ({ file: '', name: '', message: message ?? '' })),
    ],
    unsteady: testsOf(suites, 'flaky'),
  };
}

/** @returns {FailedTest[]} */
function testsOf(suites, status, above = []) {
  return suites.flatMap(({ title, file: ofSuite, specs = [], suites: inner = [] }) => {
    const names = title === ofSuite ? above : [...above, title];
    const own = specs.flatMap(({ title: name, file, tests }) =>
      tests
        .filter((test) => test.status === status)
        .map(({ results }) => ({
          file: path.join('e2e', file),
          name: [...names, name].join(' '),
          message: results[0]?.errors.map(({ message }) => message).join('\n') ?? '',
        })),
    );
    return [...own, ...testsOf(inner, status, names)];
  });
}

/** A counterexample of a property is a fault, though another seed may not meet it again. */
export const isCounterexample = ({ message }) => message.includes('Property failed after');

/** As the end of the run has it: what is needed to know the fault without the lines above. */
export function tellTest({ file, name, message }, root) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'))
    .slice(0, toldLines);
  return [
    `  ${file ? path.relative(root, path.resolve(root, file)) : 'the run'}: ${name}`,
    ...lines.map((line) => `      ${line}`),
  ]
    .join('\n')
    .trimEnd();
}
