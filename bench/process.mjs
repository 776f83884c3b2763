/** The other end of `host.mjs` and of `host.py`: starts a contender and asks it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** @param file of `contenders/`, in JavaScript or Python */
export function startContender(name, file) {
  const isPython = file.endsWith('.py');
  const [command, args] = isPython
    ? [pythonPath(), ['-u', `contenders/${file}`]]
    : [process.execPath, ['--max-old-space-size=12000', '--expose-gc', 'host.mjs', `./contenders/${file}`]];
  const child = spawn(command, args, {
    cwd: here,
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
    // LanceDB's threads wait for each other where it has few of them: https://github.com/lancedb/lancedb/issues/3568
    env: { LANCE_CPU_THREADS: '4', RUST_LOG: 'error', ...process.env, PYTHONPATH: here },
  });
  const lines = createInterface({ input: child.stdio[3] })[Symbol.asyncIterator]();
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${name} ended with ${code}`);
  });
  ended.catch(() => {});
  return {
    name,
    async ask(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`);
      const { value, done } = await Promise.race([lines.next(), ended]);
      if (done) throw new Error(`${name} ended`);
      return JSON.parse(value);
    },
    async stop() {
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

function pythonPath() {
  return process.env.BENCH_PYTHON ?? 'python3';
}
