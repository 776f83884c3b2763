import { cleanup, configure, prettyDOM } from '@testing-library/react';
import * as react from 'react';
import { afterAll, afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { keepImportJobsOf } from '#client/lib/imports/import-jobs.ts';
import { clearToasts } from '#client/lib/toast.ts';

/** Run before each file: files share what they import, but each has a page of its own. */

configure({
  // Whole screens on a busy machine: a wait ends when what it waits for is there, so a long limit costs nothing.
  asyncUtilTimeout: 120_000,
  getElementError: toElementError,
});

// happy-dom has no font set; a text area that grows listens to one.
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });
// Nor streams of events: nobody else changes anything here.
Object.defineProperty(window, 'EventSource', {
  configurable: true,
  value: class extends EventTarget {
    close(): void {}
  },
});
// Nor does it know the element `search`, at which React complains.
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
  configurable: true,
  get: function (this: Element) {
    return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement';
  },
});

// Of each element React keeps the stack of who made it, for its warnings alone: a tenth of the processors' time. It says that it has enough of them.
const internals: unknown = Reflect.get(
  react,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
);
if (typeof internals !== 'object' || internals === null) throw new Error('React has other internals now');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', {
  configurable: true,
  get: () => Number.POSITIVE_INFINITY,
  set: () => undefined,
});

/** Whose imports are none that a test began. */
const nobody = 0;

let complaints: MockInstance<typeof console.error>;

beforeEach(() => {
  complaints = vi.spyOn(console, 'error');
});

// What is still being fetched when a file ends is refused, and a part of the console keeps that for the files after it.
afterAll(() => vi.dynamicImportSettled());

afterEach(() => {
  cleanup();
  clearToasts();
  keepImportJobsOf(nobody);
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  expect(complaints.mock.calls).toEqual([]);
  complaints.mockRestore();
});

/** What is not found yet is looked for again: the page is printed for the last time alone, which takes a tenth less of the processors. */
function toElementError(message: string | null, container: Element): Error {
  let text: string | undefined;
  return Object.defineProperty(new Error(), 'message', {
    configurable: true,
    get: () => (text ??= `${message}\n\n${prettyDOM(container)}`),
    set: (given: string) => {
      text = given;
    },
  });
}
