import { once } from 'node:events';

/** Rows of texts into a `copy … from stdin`, in its text format. */
export async function copyRows(copy, rows) {
  const into = await copy.writable();
  for await (const cells of rows)
    if (!into.write(`${cells.map(escaped).join('\t')}\n`)) await once(into, 'drain');
  into.end();
  await once(into, 'finish');
}

const escapes = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const escaped = (text) => text.replace(/[\\\t\n\r]/g, (sign) => escapes[sign]);
