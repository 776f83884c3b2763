import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Toaster } from '#client/components/feedback/toaster.tsx';
import { createQueryClient } from '#client/lib/create-query-client.ts';
import { endSession } from '#client/lib/end-session.ts';
import { createTrpcClient, createTrpcLoaders, trpc } from '#client/lib/trpc.ts';
import { createConsoleRouter } from '../router.tsx';
import { cssVariables, theme } from '../theme.ts';

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
  return { queryClient, loaders, client, wrap };
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
  const { wrap, queryClient, loaders, client } = prepare();
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createConsoleRouter({ queryClient, trpc: loaders, client }, history);
  // A pointer that comes to a link would begin to fetch a page after its test has ended.
  router.update({ ...router.options, defaultPreload: false });
  return { ...render(wrap(<RouterProvider router={router} />)), router, queryClient };
}
