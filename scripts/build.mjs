// `npm run build`: the console into dist/client, the server and its threads into dist/server, each unless it is built already.
import { build, ensureInstalled, requireNode } from './freshness.mjs';

requireNode();
await ensureInstalled();
await build(process.argv.slice(2));
