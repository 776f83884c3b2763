import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, createLogger, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it, vi } from 'vitest';

/** What a browser fetches, unpacks and runs before a page is there: gzip bytes (1,000 to a KB) of the page's chunks and all they import. */
const firstLoadBytesMax = { public: 180_000, console: 230_000 };
/** Each is a request of its own. */
const firstLoadFilesMax = 20;
const fontBytesMax = 45 * 1024;

let chunks: Map<string, Rolldown.OutputChunk>;
let assets: Rolldown.OutputAsset[];
const warnings: string[] = [];

beforeAll(async () => {
  // The runner's own value would build React's development half.
  vi.stubEnv('NODE_ENV', 'production');
  const root = path.resolve(import.meta.dirname, '..');
  const customLogger = createLogger('silent');
  const warn = (message: string) => void warnings.push(message);
  Object.assign(customLogger, { warn, warnOnce: warn });
  const result = await build({
    root,
    logLevel: 'silent',
    customLogger,
    // On a busy machine it would warn of the time that its parts take.
    build: { write: false, emptyOutDir: false, rolldownOptions: { checks: { bundlerTimings: false } } },
  });
  vi.unstubAllEnvs();
  const outputs = [result].flat().flatMap((one) => ('output' in one ? one.output : []));
  assets = outputs.filter((file) => file.type === 'asset');
  chunks = new Map(
    outputs.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
});

/** The chunk of each page, by the page's file; a chunk of its own, since its route fetches it. */
function pages(): Map<string, string> {
  const found = [...chunks.values()].flatMap(({ fileName, facadeModuleId }) => {
    const name = /\/client\/features\/([^/]+\/[^/]+-page)\.tsx$/.exec(facadeModuleId ?? '')?.[1];
    return name === undefined ? [] : [[name, fileName] as const];
  });
  return new Map(found);
}

/** Those that anybody may open stand without the console's shell. */
const isPublic = (page: string) => /^(accounts|landing)\//.test(page);

function withImports(fileNames: string[]): Set<string> {
  const reached = new Set(fileNames);
  // A set walks over what is added while it is walked.
  for (const fileName of reached) {
    for (const imported of chunks.get(fileName)?.imports ?? []) reached.add(imported);
  }
  return reached;
}

function gzipBytes(fileNames: Iterable<string>): number {
  return [...fileNames].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '').length, 0);
}

/** Entry, the shell around a page for signed-in users, and the page. */
function firstLoad(page: string): Set<string> {
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  const shell = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith('/-console.tsx'));
  const needed = [entry, isPublic(page) ? undefined : shell].map((chunk) => chunk?.fileName);
  return withImports([...needed, pages().get(page)].filter((name) => name !== undefined));
}

describe('the console as it is shipped', () => {
  it('is bundled without a warning, such as of an import that is fetched apart for nothing', () => {
    expect(warnings).toEqual([]);
  });

  it('needs little before its first paint, on every page', () => {
    const sizes = [...pages().keys()].map((page) => [page, gzipBytes(firstLoad(page))] as const);
    expect(sizes.map(([page]) => page)).toContain('search/search-page');
    expect(sizes.length).toBeGreaterThanOrEqual(8);
    const most = (page: string) => firstLoadBytesMax[isPublic(page) ? 'public' : 'console'];
    expect(sizes.filter(([page, bytes]) => bytes > most(page))).toEqual([]);
    // Measured at all: React and Mantine alone are more than this.
    expect(Math.min(...sizes.map(([, bytes]) => bytes))).toBeGreaterThan(100_000);
  });

  it('is in few files, on every page', () => {
    const counts = [...pages().keys()].map((page) => [page, firstLoad(page).size] as const);
    expect(counts.filter(([, files]) => files > firstLoadFilesMax)).toEqual([]);
  });

  it('fetches what floats over a page after it', () => {
    const overlays = [...chunks.values()].filter(({ moduleIds }) =>
      moduleIds.some((id) => id.includes('/node_modules/@floating-ui/react/')),
    );
    expect(overlays.length).toBeGreaterThan(0);
    for (const page of pages().keys()) {
      const loaded = firstLoad(page);
      expect(overlays.filter(({ fileName }) => loaded.has(fileName)).map(() => page)).toEqual([]);
    }
  });

  it('has one face, which is small and is fetched with the page', () => {
    const faces = assets.filter(({ fileName }) => /\.(?:woff2?|ttf|otf)$/.test(fileName));
    expect(faces.map(({ fileName }) => fileName)).toEqual([
      expect.stringMatching(/\/onest-latin-[\w-]+\.woff2$/),
    ]);
    expect(Buffer.byteLength(faces[0]?.source ?? '')).toBeLessThanOrEqual(fontBytesMax);
    const page = assets.find(({ fileName }) => fileName === 'index.html');
    const preload = /<link rel="preload"[^>]*>/.exec(String(page?.source))?.[0];
    expect(preload).toContain(`href="/${faces[0]?.fileName}"`);
    expect(preload).toContain('crossorigin');
  });

  it('fetches the schemas with the forms, not with the pages', () => {
    const schemas = [...chunks.values()].filter(({ moduleIds }) =>
      moduleIds.some((id) => /\/node_modules\/zod\/.*\/schemas\.js$/.test(id)),
    );
    expect(schemas.length).toBeGreaterThan(0);
    for (const page of pages().keys()) {
      const loaded = firstLoad(page);
      expect(schemas.filter(({ fileName }) => loaded.has(fileName)).map(() => page)).toEqual([]);
    }
  });

  it('holds nothing of the server', () => {
    const words = ['drizzle', 'process.env', 'postgres('];
    // The documentation speaks of it.
    const isArticle = ({ moduleIds }: Rolldown.OutputChunk) =>
      moduleIds.every((id) => /^\0virtual:article/.test(id));
    const programs = [...chunks.values()].filter((chunk) => !isArticle(chunk));
    const found = programs.flatMap(({ fileName, code }) =>
      words.filter((word) => code.includes(word)).map((word) => `${fileName}: ${word}`),
    );
    expect(found).toEqual([]);
    const modules = [...chunks.values()].flatMap(({ moduleIds }) => moduleIds);
    expect(modules.some((id) => id.includes('/src/client/'))).toBe(true);
    expect(modules.filter((id) => id.includes('/src/server/'))).toEqual([]);
  });
});
