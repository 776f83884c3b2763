import './before-all.ts';
import './styles/font.css';
import './styles/mantine.css';
import './styles/global.css';
import './styles/boot.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { waitForFirstPage } from './lib/after-first-page.ts';
import { createQueryClient } from './lib/create-query-client.ts';
import { cspNonce } from './lib/csp-nonce.ts';
import { endSession } from './lib/end-session.ts';
import { laterPart } from './lib/lazy-part.ts';
import { createTrpcClient, createTrpcLoaders, trpc } from './lib/trpc.ts';
import { createConsoleRouter, fetchPageAhead } from './router.tsx';
import { colorSchemeManager, cssVariables, theme } from './theme.ts';

/** Not needed for the first paint: what is said before it is there waits for it. */
const Toaster = laterPart(async () => ({
  default: (await import('./components/feedback/toaster.tsx')).Toaster,
}));

const queryClient = createQueryClient(() => endSession(loaders));
const client = createTrpcClient();
const loaders = createTrpcLoaders(queryClient, client);
const router = createConsoleRouter({ queryClient, trpc: loaders, client });
fetchPageAhead(router);
waitForFirstPage(router, queryClient);

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

// What `boot.js` counts is how often the code did not come.
try {
  sessionStorage.removeItem('bootWaitMs');
} catch {
  // Storage may be forbidden.
}

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => cspNonce}
    >
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </trpc.Provider>
      <Suspense>
        <Toaster />
      </Suspense>
    </MantineProvider>
  </StrictMode>,
);
