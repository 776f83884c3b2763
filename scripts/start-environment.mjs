import { readFileSync } from 'node:fs';
import { at } from './freshness.mjs';

/** What `npm start` sets for the process, for servers that are started without it. */
export function startEnvironment() {
  const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  return Object.fromEntries(
    [...scripts.start.matchAll(/(\w+)=(\S+) /g)].map(([, name, value]) => [name, value]),
  );
}
