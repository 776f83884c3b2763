// Before a script that runs a development dependency: `npm start` alone does not install those.
import { ensureInstalled } from './ensure-installed.mjs';
import { requireNode } from './freshness.mjs';

requireNode();
await ensureInstalled('all');
