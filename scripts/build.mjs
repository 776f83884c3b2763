// `npm run build`: the console into dist/client, the server and its threads into dist/server, each unless it is built already.
import { ensureInstalled } from './ensure-installed.mjs';
import { build, requireNode } from './freshness.mjs';

requireNode();
await ensureInstalled('start');
await build(process.argv.slice(2));
