// `npm run routes:generate`: src/client/route-tree.gen.ts from the files in src/client/routes. `npm run dev` keeps it up to date by itself.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Generator, getConfig } from '@tanstack/router-generator';

/** Reads `tsr.config.json` in the given folder, as the plugin of `npm run dev` does. */
export async function makeRouteTree(root) {
  // What is written there is moved to its place, which may be on another file system than the working folder.
  const tmpDir = path.join(root, '.tanstack/tmp');
  await new Generator({ config: getConfig({ tmpDir }, root), root }).run();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await makeRouteTree(fileURLToPath(new URL('..', import.meta.url)));
}
