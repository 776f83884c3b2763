import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, configure, prettyDOM, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest';
import { Toaster } from '#client/components/feedback/toaster.tsx';
import { createQueryClient } from '#client/lib/create-query-client.ts';
import { endSession } from '#client/lib/end-session.ts';
import { clearToasts } from '#client/lib/toast.ts';
import { createTrpcClient, createTrpcLoaders, trpc } from '#client/lib/trpc.ts';
import { createConsoleRouter } from '../router.tsx';
import { cssVariables, theme } from '../theme.ts';

configure({
  // Whole screens on a busy machine: a wait ends when what it waits for is there, so a long limit costs nothing.
  asyncUtilTimeout: 60_000,
  getElementError: toElementError,
});

// happy-dom has no font set; a text area that grows listens to one.
Object.defineProperty(document, 'fonts', { value: new EventTarget() });
// Nor streams of events: nobody else changes anything here.
Object.defineProperty(window, 'EventSource', {
  value: class extends EventTarget {
    close(): void {}
  },
});
// Nor does it know the element `search`, at which React complains.
Object.defineProperty(HTMLUnknownElement.prototype, Symbol.toStringTag, {
  get: function (this: Element) {
    return this.localName === 'search' ? 'HTMLElement' : 'HTMLUnknownElement';
  },
});

let complaints: MockInstance<typeof console.error>;

beforeEach(() => {
  complaints = vi.spyOn(console, 'error');
});

afterEach(() => {
  cleanup();
  clearToasts();
  localStorage.clear();
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

function prepare() {
  const queryClient = createQueryClient(() => endSession(loaders));
  const client = createTrpcClient('http://console.test');
  const loaders = createTrpcLoaders(queryClient, client);
  const wrap = (children: ReactNode) => (
    <MantineProvider env="test" theme={theme} cssVariablesResolver={cssVariables}>
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </trpc.Provider>
      <Toaster />
    </MantineProvider>
  );
  return { queryClient, loaders, wrap };
}

/** One component among the console's providers, on a page of its own: links and navigation work, but lead nowhere. */
export function renderPart(ui: ReactNode) {
  const { wrap, queryClient, loaders } = prepare();
  const rootRoute = createRootRoute();
  const anywhere = createRoute({ getParentRoute: () => rootRoute, path: '$', component: () => ui });
  const router = createRouter({
    routeTree: rootRoute.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: ['/here'] }),
  });
  return { ...render(wrap(<RouterProvider router={router as never} />)), queryClient, loaders };
}

/** The whole console at an address. */
export function renderConsole(address: string) {
  const { wrap, queryClient, loaders } = prepare();
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createConsoleRouter({ queryClient, trpc: loaders }, history);
  return { ...render(wrap(<RouterProvider router={router} />)), router, queryClient };
}
