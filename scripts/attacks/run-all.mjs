// `npm run attack`: every attack of this folder, one after the other, each on a server of its own. Ends with 1 when one of them hurts.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { print } from './target.mjs';

const folder = import.meta.dirname;
const notAttacks = [
  'burst.mjs',
  'bystander.mjs',
  'measured.mjs',
  'probe.mjs',
  'run-all.mjs',
  'target.mjs',
  'verdict.mjs',
];
const attacks = readdirSync(folder).filter((name) => name.endsWith('.mjs') && !notAttacks.includes(name));
const hurting = [];
for (const name of attacks) {
  print(`\n${name}`);
  const { status } = spawnSync(process.execPath, [path.join(folder, name)], { stdio: 'inherit' });
  if (status !== 0) hurting.push(name);
}
print(hurting.length === 0 ? '\nNone hurts.' : `\nThese hurt: ${hurting.join(', ')}`);
process.exitCode = hurting.length === 0 ? 0 : 1;
