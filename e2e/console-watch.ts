import { expect, type Page } from '@playwright/test';

/** Collects what must not happen on a page: console errors (CSP violations are among them) and uncaught exceptions. */
export function watchConsole(page: Page): {
  /** `refusal`: what the browser says of an answer that the test is about. */
  expectQuiet(refusal?: RegExp): void;
} {
  const faults: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.stack ?? error.message}`));
  return {
    expectQuiet: (refusal) => expect(faults.filter((fault) => !refusal?.test(fault))).toEqual([]),
  };
}
