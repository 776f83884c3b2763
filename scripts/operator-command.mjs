import { ensureInstalled } from './ensure-installed.mjs';
import { ensureBuilt, requireNode, root } from './freshness.mjs';

/** Runs what `dist/server/<file>.js` exports under this name, with the rest of the command line. */
export async function runCommand(file, name) {
  requireNode();
  try {
    await ensureInstalled('start');
    await ensureBuilt(['server']);
    const { [name]: run } = await import(`../dist/server/${file}.js`);
    await run(process.argv.slice(2), { print: (text) => process.stdout.write(text), root });
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
