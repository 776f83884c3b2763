import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { articles } from './scripts/articles/articles-plugin.ts';

/** The API server beside `vite` in development. */
const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

const compress = promisify(brotliCompress);
/** The best level takes a second for each megabyte; what is larger than this nobody waits for. */
const bestLevelBytesMax = 512 * 1024;

/** Puts `x.js.br` beside each `x.js`: as small as it gets, which nobody could do while a browser waits. */
function packed(): Plugin {
  return {
    name: 'packed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.values(bundle).filter(({ fileName }) => /\.(?:js|css|svg)$/.test(fileName));
      await Promise.all(
        texts.map(async (file) => {
          const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          const level = bytes.length > bestLevelBytesMax ? 9 : constants.BROTLI_MAX_QUALITY;
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: level,
            [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
          };
          await writeFile(path.join(dir, `${file.fileName}.br`), await compress(bytes, { params }));
        }),
      );
    },
  };
}

/**
 * What is fetched as one file rather than one a component. A group takes along whatever its modules import, so each names only parts that
 * stand alone, and the first that names a module has it.
 */
const groups = [
  // What the entry imports; the page at /api/docs shares nothing with it.
  { name: 'base', tags: ['$initial' as const], test: /^(?!.*(?:swagger-ui|\/reference\.))/ },
  // What a link to a search asks for before its page is there: small, and without anything that is drawn.
  {
    name: 'search-ahead',
    test: /features\/search\/(?:search-(?:ahead|questions|request|results)|collection-shape|field-bins|pick-value-fields)\.|client\/lib\/(?:use-newest-answer|judged-query)\./,
  },
  // What nearly every page needs.
  {
    name: 'parts',
    test: /@mantine\/core\/esm\/(?:core\/|components\/(?:Loader|UnstyledButton|Text|CloseButton|ActionIcon|Transition|Input|InputBase|TextInput|Paper)\/)|@mantine\/hooks\/esm\/use-(?:id|uncontrolled|color-scheme)\/|src\/client\/lib\/use-once/,
  },
  // What the pages need where an account is made, and dialogs later.
  {
    name: 'forms',
    test: /components\/fields\/(?:form-failure|password-toggle|schema-sentences|show-field-errors)|lib\/field-sentence|@mantine\/form\/|components\/PasswordInput\//,
  },
  // What the pages of accounts share.
  { name: 'accounts', minShareCount: 2, test: /features\/accounts\/(?!.*-page\.tsx)/ },
  // What forms fetch, and no page before them.
  {
    name: 'schemas',
    test: /node_modules\/zod\/|src\/shared\/(?:documented-as|fields|parameters)\.ts$/,
  },
  // What the frame has, and a page here and there.
  {
    name: 'frame',
    test: /components\/display\/keys\.|client\/lib\/live\/|@mantine\/core\/esm\/components\/Burger\/|@mantine\/hooks\/esm\/use-local-storage\//,
  },
  // What several pages of the console need.
  {
    name: 'console',
    minShareCount: 4,
    test: /src\/client\/(?:components|lib)\/|@mantine\/core\/esm\/(?:components\/(?:Badge|Skeleton|Tabs|Burger|SegmentedControl|FloatingIndicator|Switch|List)\/|utils\/InlineInput\/)|@mantine\/hooks\/esm\/(?:use-(?:local-storage|merged|window)|utils\/)/,
  },
];

export default defineConfig({
  plugins: [react(), articles(), packed()],
  build: {
    outDir: 'dist/client',
    emptyOutDir: true,
    // The console, and the page at /api/docs.
    rolldownOptions: {
      input: ['index.html', 'reference.html'],
      output: { codeSplitting: { groups } },
    },
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
