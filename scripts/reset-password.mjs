// `npm run reset-password -- <email>`: prints a link that sets an account's password, while the server runs.
import { ensureInstalled } from './ensure-installed.mjs';
import { ensureBuilt, requireNode } from './freshness.mjs';

requireNode();
try {
  await ensureInstalled('start');
  await ensureBuilt(['server']);
  const { printResetLink } = await import('../dist/server/print-reset-link.js');
  await printResetLink(process.argv.slice(2), { print: (text) => process.stdout.write(text) });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
