import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The API server beside `vite` in development. */
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  plugins: [react()],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    // The console, and the page at /api/docs.
    rolldownOptions: { input: ['index.html', 'reference.html'] },
    // Nobody reads the sizes, and packing every file for them is a third of the build.
    reportCompressedSize: false,
    // The page at /api/docs is one file of 1.5 MB, which nobody fetches who does not open it.
    chunkSizeWarningLimit: 2_000,
    // The page lives under a CSP without inline code: nothing may become a data: URL or an inline script.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    // The Host header stays the console's: the server compares it with Origin.
    proxy: { '/trpc': { target: api, changeOrigin: false }, '/api': { target: api, changeOrigin: false } },
  },
});
