// `npm run build`: the console into dist/client, the server and its threads into dist/server.
import { ensureBuilt, ensureInstalled, requireNode } from './freshness.mjs';

requireNode();
await ensureInstalled();
await ensureBuilt();
