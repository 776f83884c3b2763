// A search cluster of one node on this machine, for tests and for trying SEARCH_ENGINE=opensearch. Never for documents that matter: it has no accounts.
//
//   node scripts/opensearch-dev.mjs start   prints its address, for OPENSEARCH_URL; what it needs is fetched from Maven Central, once
//   node scripts/opensearch-dev.mjs stop    ends it; its data goes with the next start
//
// 0: done. 3: this machine has no JDK 11 to 23, or no Maven, which standard error says. 1: it should have worked.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const version = '2.19.1';
/** The last one that has the Security Manager is 23. */
const javaMajors = { min: 11, max: 23 };
const heap = process.env.OPENSEARCH_HEAP || '512m';
const startMs = 180_000;

const cache = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'vectora-opensearch-dev',
);
const home = path.join(cache, version);
const run = path.join(cache, 'run');
const pidFile = path.join(run, 'pid');
const urlFile = path.join(run, 'url');

/** Group, artifact, version and kind, with the SHA-256 of the file that this was tested with. */
const artifacts = [
  [
    'org.opensearch.distribution.integ-test-zip',
    'opensearch',
    version,
    'zip',
    'af7152d8b7f6f1cee09d47276b32b70479fe6dd8cdbb61213f84eb7f8098b261',
  ],
  [
    'org.opensearch.plugin',
    'opensearch-knn',
    `${version}.0`,
    'zip',
    'eab8c9818865bc035212eab5068cdacae164baa09d4c152f49b736d6f6b0e85c',
  ],
  [
    'org.opensearch.plugin',
    'lang-painless',
    version,
    'jar',
    '3cf5e02efa40ff5b88e74e1ab66a0bc462de3509fab4a6a4ffe90b8d13777a9a',
  ],
  [
    'org.opensearch.plugin',
    'opensearch-scripting-painless-spi',
    version,
    'jar',
    'c2598797a5f6f897ce7e8d05f593ff96de3fbc56c52f299d63cddcae41556dda',
  ],
  [
    'org.antlr',
    'antlr4-runtime',
    '4.13.1',
    'jar',
    '54665d2838cc66458343468efc539e454fc95b46a8a04b13c6ac43fc9be63505',
  ],
  ['org.ow2.asm', 'asm', '9.7', 'jar', 'adf46d5e34940bdf148ecdd26a9ee8eea94496a72034ff7141066b3eea5c4e9d'],
  [
    'org.ow2.asm',
    'asm-util',
    '9.7',
    'jar',
    '37a6414d36641973f1af104937c95d6d921b2ddb4d612c66c5a9f2b13fc14211',
  ],
  [
    'org.ow2.asm',
    'asm-tree',
    '9.7',
    'jar',
    '62f4b3bc436045c1acb5c3ba2d8ec556ec3369093d7f5d06c747eb04b56d52b1',
  ],
  [
    'org.ow2.asm',
    'asm-commons',
    '9.7',
    'jar',
    '389bc247958e049fc9a0408d398c92c6d370c18035120395d4cba1d9d9304b7a',
  ],
  [
    'org.ow2.asm',
    'asm-analysis',
    '9.7',
    'jar',
    '7bc6bcbc21379948a0c8c467fb0f864206e5b818f6bc0b546872f5c9f941556f',
  ],
];

const say = (text) => process.stderr.write(`opensearch-dev: ${text}\n`);

class CannotRunHere extends Error {}

function runTool(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (error || status !== 0)
    throw new Error(`${command} failed: ${error?.message ?? (stderr || stdout).slice(-2_000)}`);
  return stdout;
}

/** The first that is new enough and not too new. */
function findJava() {
  const installed = existsSync('/usr/lib/jvm')
    ? readdirSync('/usr/lib/jvm').map((name) => `/usr/lib/jvm/${name}`)
    : [];
  for (const place of [process.env.OPENSEARCH_JAVA_HOME, process.env.JAVA_HOME, ...installed]) {
    const java = place && path.join(place, 'bin/java');
    if (!java || !existsSync(java)) continue;
    const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
    const major = Number(/version "(\d+)/.exec(stderr)?.[1]);
    if (major >= javaMajors.min && major <= javaMajors.max) return place;
  }
  throw new CannotRunHere(
    `no JDK ${javaMajors.min} to ${javaMajors.max} was found; OPENSEARCH_JAVA_HOME names one`,
  );
}

function install() {
  if (existsSync(home)) return;
  if (spawnSync('mvn', ['--version']).error) throw new CannotRunHere('Maven (mvn) is not installed');
  say(`fetching OpenSearch ${version} from Maven Central`);
  mkdirSync(cache, { recursive: true });
  const build = path.join(cache, `build-${process.pid}`);
  const files = path.join(build, 'files');
  mkdirSync(files, { recursive: true });
  try {
    writeFileSync(path.join(build, 'pom.xml'), pom(files));
    runTool('mvn', ['-q', '-B', '-f', path.join(build, 'pom.xml'), 'initialize']);
    for (const [, artifact, itsVersion, kind, wanted] of artifacts) {
      const name = `${artifact}-${itsVersion}.${kind}`;
      const found = createHash('sha256')
        .update(readFileSync(path.join(files, name)))
        .digest('hex');
      if (found !== wanted)
        throw new Error(`${name} is not the file that this was tested with: its SHA-256 is ${found}`);
    }
    runTool('unzip', ['-q', path.join(files, `opensearch-${version}.zip`), '-d', build]);
    const server = path.join(build, `opensearch-${version}`);
    addPainless(server, files);
    const knn = path.join(server, 'plugins/opensearch-knn');
    mkdirSync(knn, { recursive: true });
    runTool('unzip', ['-q', path.join(files, `opensearch-knn-${version}.0.zip`), '-d', knn]);
    renameSync(server, home);
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

function pom(files) {
  const items = artifacts.map(
    ([group, artifact, itsVersion, kind]) =>
      `<artifactItem><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${itsVersion}</version><type>${kind}</type></artifactItem>`,
  );
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>vectora</groupId><artifactId>opensearch-dev</artifactId><version>1</version><packaging>pom</packaging>
<build><plugins><plugin><artifactId>maven-dependency-plugin</artifactId><version>3.6.1</version>
<executions><execution><phase>initialize</phase><goals><goal>copy</goal></goals><configuration>
<outputDirectory>${files}</outputDirectory><artifactItems>${items.join('\n')}</artifactItems>
</configuration></execution></executions></plugin></plugins></build></project>`;
}

/** The module that vectors' scripts are compiled by: published as bare jars, so what the server reads of a module is written here. */
function addPainless(server, files) {
  const module = path.join(server, 'modules/lang-painless');
  mkdirSync(module, { recursive: true });
  for (const name of readdirSync(files))
    if (/^(lang-painless|opensearch-scripting|antlr4|asm)/.test(name))
      cpSync(path.join(files, name), path.join(module, name));
  const described = {
    name: 'lang-painless',
    description: 'lang-painless',
    version,
    'opensearch.version': version,
    'java.version': '11',
    classname: 'org.opensearch.painless.PainlessPlugin',
    'extended.plugins': '',
    'has.native.controller': 'false',
  };
  const lines = Object.entries(described).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(path.join(module, 'plugin-descriptor.properties'), lines.join(''));
  const rights = ['createClassLoader', 'getClassLoader'].map(
    (right) => `  permission java.lang.RuntimePermission "${right}";\n`,
  );
  writeFileSync(path.join(module, 'plugin-security.policy'), `grant {\n${rights.join('')}};\n`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Null: it does not run. A pid may be another process' by now. */
function runningPid() {
  if (!existsSync(pidFile)) return null;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(run) ? pid : null;
  } catch {
    return null;
  }
}

async function isHealthy(url) {
  try {
    const answer = await fetch(`${url}/_cluster/health?wait_for_status=green&timeout=2s`, {
      signal: AbortSignal.timeout(10_000),
    });
    return answer.ok && !(await answer.json()).timed_out;
  } catch {
    return false;
  }
}

async function start() {
  if (runningPid() !== null) {
    const url = readFileSync(urlFile, 'utf8');
    if (await isHealthy(url)) return url;
    await stop();
  }
  const javaHome = findJava();
  install();
  rmSync(run, { recursive: true, force: true });
  for (const folder of ['config/jvm.options.d', 'data', 'logs', 'tmp'])
    mkdirSync(path.join(run, folder), { recursive: true });
  const [port, transport] = [await freePort(), await freePort()];
  const settings = {
    'cluster.name': 'vectora-dev',
    'network.host': '127.0.0.1',
    'http.port': port,
    'transport.port': transport,
    'discovery.type': 'single-node',
    'path.data': path.join(run, 'data'),
    'path.logs': path.join(run, 'logs'),
    'action.auto_create_index': false,
    'cluster.routing.allocation.disk.threshold_enabled': false,
  };
  const yaml = Object.entries(settings).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`);
  writeFileSync(path.join(run, 'config/opensearch.yml'), yaml.join(''));
  const logging = [
    'status = error',
    'appender.console.type = Console',
    'appender.console.name = console',
    'appender.console.layout.type = PatternLayout',
    'appender.console.layout.pattern = %d %p %m%n',
    'rootLogger.level = info',
    'rootLogger.appenderRef.console.ref = console',
  ];
  writeFileSync(path.join(run, 'config/log4j2.properties'), `${logging.join('\n')}\n`);
  // The serial collector starts faster and is smaller.
  const options = readFileSync(path.join(home, 'config/jvm.options'), 'utf8').split('\n');
  const unwanted = /UseG1GC|G1Reserve|InitiatingHeap|Xlog:gc|Xloggc|^-Xm[sx]|HeapDump|ErrorFile/;
  writeFileSync(
    path.join(run, 'config/jvm.options'),
    options.filter((line) => !unwanted.test(line)).join('\n'),
  );
  const out = openSync(path.join(run, 'out.log'), 'a');
  const server = path.join(home, 'bin/opensearch');
  // It refuses to be root; in a user namespace root is somebody else to itself.
  const isRoot = process.getuid?.() === 0;
  const [command, ...args] = isRoot
    ? ['unshare', '--user', '--map-user=1000', '--map-group=1000', server]
    : [server];
  const child = spawn(command, [...args, '-p', pidFile], {
    detached: true,
    stdio: ['ignore', out, out],
    env: {
      PATH: process.env.PATH,
      OPENSEARCH_JAVA_HOME: javaHome,
      OPENSEARCH_PATH_CONF: path.join(run, 'config'),
      OPENSEARCH_TMPDIR: path.join(run, 'tmp'),
      OPENSEARCH_JAVA_OPTS: `-Xms${heap} -Xmx${heap} -XX:+UseSerialGC -XX:-AlwaysPreTouch -XX:-UsePerfData`,
    },
  });
  child.unref();
  const url = `http://127.0.0.1:${port}`;
  writeFileSync(urlFile, url);
  for (const end = Date.now() + startMs; Date.now() < end; await wait(300)) {
    if (await isHealthy(url)) return url;
    if (child.exitCode !== null) break;
  }
  throw new Error(`it did not start:\n${readFileSync(path.join(run, 'out.log'), 'utf8').slice(-3_000)}`);
}

async function stop() {
  const pid = runningPid();
  if (pid === null) return;
  process.kill(pid, 'SIGTERM');
  for (let tries = 0; tries < 100 && runningPid() !== null; tries += 1) await wait(200);
  if (runningPid() !== null) process.kill(pid, 'SIGKILL');
}

try {
  const [command] = process.argv.slice(2);
  if (command === 'start') process.stdout.write(`${await start()}\n`);
  else if (command === 'stop') await stop();
  else throw new Error('start or stop');
} catch (error) {
  say(error.message);
  process.exitCode = error instanceof CannotRunHere ? 3 : 1;
}
