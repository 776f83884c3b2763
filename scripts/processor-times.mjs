/** What the system says of processes. Linux only; elsewhere there are none. */
import { readdirSync, readFileSync } from 'node:fs';

/** Threads of a process, each with the milliseconds that it has been on processors. */
export function threadTimes(pid) {
  return listOf(`/proc/${pid}/task`).map((thread) => {
    const text = textOf(`/proc/${pid}/task/${thread}/schedstat`);
    return [thread, Number(text.split(' ')[0]) / 1e6];
  });
}

/** The processes below one. */
export function descendants(pid) {
  const parents = new Map();
  for (const each of listOf('/proc').filter((name) => /^\d+$/.test(name))) {
    // The name stands in parentheses and may hold anything.
    const parent = textOf(`/proc/${each}/stat`).split(') ').at(-1)?.split(' ')[1];
    parents.set(each, parent);
  }
  const found = [String(pid)];
  for (const known of found) for (const [each, parent] of parents) if (parent === known) found.push(each);
  return found.slice(1);
}

/** Processes and threads may end while they are read. */
function listOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function textOf(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
