// For an image, after the build: node_modules keeps the packages that the server reads at run time, with what they need themselves, as the lock has them.
// It rewrites package.json, so it is nothing for a clone that is worked in.
import { readFileSync, writeFileSync } from 'node:fs';
import { runtimePackages } from './build-server.mjs';
import { at, run } from './freshness.mjs';

const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
const kept = Object.entries(manifest.dependencies).filter(([name]) => runtimePackages.includes(name));
manifest.dependencies = Object.fromEntries(kept);
delete manifest.devDependencies;
writeFileSync(at('package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
// With the peers that they import: an install leaves these to package.json (.npmrc), which has lost them here.
await run('npm', ['prune', '--omit=dev', '--legacy-peer-deps=false', '--no-audit', '--no-fund']);
