/**
 * `npm run bench`: the product beside its peers, on this machine, in one run.
 *
 *   DATASETS_DIR=… npm run bench -- [keyword] [vectors] [hybrid] [http] [--documents 100000] [--rounds 5] [--questions 1000] [--only vectora,numpy] [--kinds 'two words,one typo']
 *
 * Installs the peers of `package.json` into this folder, and those of `requirements.txt` into a virtual environment of its own. Figures go to
 * `results/<section>.json`, the tables of `docs/performance.md` are made of them. Absolute times are this machine's: what carries over is a ratio to a peer
 * of the same run, above all to `numpy`, a plain BM25.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = fileURLToPath(new URL('.', import.meta.url));
const sections = {
  keyword: async (options) => (await import('./keyword.mjs')).measureKeyword(options),
  vectors: async (options) => (await import('./vectors.mjs')).measureVectors(options),
  hybrid: async (options) => (await import('./hybrid.mjs')).measureHybrid(options),
  http: async (options) => (await import('./http.mjs')).measureHttp(options),
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    documents: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    questions: { type: 'string', default: '1000' },
    only: { type: 'string' },
    kinds: { type: 'string' },
    dry: { type: 'boolean', default: false },
  },
});
const options = {
  documents: Number(values.documents),
  rounds: Number(values.rounds),
  questions: Number(values.questions),
  only: values.only?.split(',') ?? null,
  kinds: values.kinds?.split(',') ?? null,
};
const chosen = positionals.length === 0 ? Object.keys(sections) : positionals;
const unknown = chosen.filter((name) => !(name in sections));
if (unknown.length > 0)
  throw new Error(`There is no section ${unknown.join(', ')}: ${Object.keys(sections).join(', ')}`);

installPeers();
for (const name of chosen) {
  const figures = await sections[name](options);
  const machine = {
    cores: os.availableParallelism(),
    processor: os.cpus()[0]?.model ?? '',
    node: process.version,
  };
  const result = { measuredOn: new Date().toISOString().slice(0, 10), machine, ...figures };
  if (!values.dry)
    await writeFile(path.join(here, 'results', `${name}.json`), `${JSON.stringify(result, null, 2)}\n`);
}

function installPeers() {
  if (!existsSync(path.join(here, 'node_modules', '.package-lock.json'))) run('npm', ['ci']);
  const python = path.join(here, '.venv', 'bin', 'python');
  if (!existsSync(python)) run('python3', ['-m', 'venv', '.venv']);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt']);
  process.env.BENCH_PYTHON = python;
}

function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: here, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
