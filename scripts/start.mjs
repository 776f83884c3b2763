// `npm start`: installs and builds what is missing or stale, then runs the server in this very process, so that a signal sent to npm
// alone reaches it (package.json says `exec node`, or a shell would stand between).
import { ensureInstalled } from './ensure-installed.mjs';
import { ensureBuilt, requireNode } from './freshness.mjs';

const parentCheckMs = 500;

requireNode();
stopWithNpm();
try {
  await ensureInstalled('start');
  await ensureBuilt();
} catch (error) {
  process.stderr.write(`Vectora cannot start: ${error.message}\n`);
  process.exit(1);
}
process.setSourceMapsEnabled(true);
// What the demo has to say is for people; whoever wants the log asks for it.
if (process.argv.includes('--demo')) process.env.LOG_LEVEL ??= 'warn';
const { started } = await import('../dist/server/main.js');
if (process.argv.includes('--demo')) await seed();

/** When npm is killed outright nobody passes the signal on: then this process has another parent all at once. */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, parentCheckMs);
  timer.unref();
}

async function seed() {
  const { url, settings } = await started;
  const { demoMessage, seedDemo } = await import('./demo.mjs');
  try {
    const account = await seedDemo({ url, dataDir: settings.dataDir });
    process.stdout.write(demoMessage(url, account));
  } catch (error) {
    process.stderr.write(`The demo could not be loaded: ${error.message}\n`);
    process.exitCode = 1;
    process.kill(process.pid, 'SIGTERM');
  }
}
