/** What the scripts have in common that measure a server of their own under a load: their options, its settings, and where the figures go. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ensureBuilt } from './freshness.mjs';
import { startServer } from './load-tools.mjs';

/** `--films`, `--seconds`, `--set NAME=value …`, `--json file`, and the script's own; `seconds`: the default of that. */
export function readOptions({ seconds, ...own }) {
  const { values } = parseArgs({
    options: {
      films: { type: 'string', default: '4000' },
      seconds: { type: 'string', default: String(seconds) },
      set: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      ...own,
    },
  });
  return { ...values, films: Number(values.films), seconds: Number(values.seconds) };
}

/** Measures the built server on a fresh embedded database, with its default settings but for those of `--set`. */
export async function measureServer({ set, json }, measure) {
  await ensureBuilt(['server']);
  const server = await startServer(settingsOf(set));
  try {
    const figures = await measure(server);
    if (json) await writeFile(json, `${JSON.stringify(figures, null, 2)}\n`);
  } finally {
    await server.stop();
  }
}

function settingsOf(texts) {
  return Object.fromEntries(texts.map((text) => [text.split('=', 1)[0], text.slice(text.indexOf('=') + 1)]));
}
