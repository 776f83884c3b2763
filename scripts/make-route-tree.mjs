// `npm run routes:generate`: src/client/route-tree.gen.ts from the files in src/client/routes. `npm run dev` keeps it up to date by itself.
import { fileURLToPath } from 'node:url';
import { Generator, getConfig } from '@tanstack/router-generator';

/** Reads `tsr.config.json` in the given folder, as the plugin of `npm run dev` does. */
export async function makeRouteTree(root) {
  await new Generator({ config: getConfig({}, root), root }).run();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await makeRouteTree(fileURLToPath(new URL('..', import.meta.url)));
}
