/** What `opensearch-dev.mjs` runs: a JDK of this machine, and OpenSearch with k-NN put together from Maven Central's files. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const version = '2.19.1';
/** The last one that has the Security Manager is 23. */
const javaMajors = { min: 11, max: 23 };

export const cache = path.join(
  process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  'vectora-opensearch-dev',
);
export const home = path.join(cache, version);

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

export const say = (text) => process.stderr.write(`opensearch-dev: ${text}\n`);

/** This machine lacks something; nothing is broken. */
export class CannotRunHere extends Error {}

function runTool(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  if (error || status !== 0)
    throw new Error(`${command} failed: ${error?.message ?? (stderr || stdout).slice(0, 4_000)}`);
  return stdout;
}

/** A node's heap, and as much beside it. */
const memoryBytesMin = 1024 ** 3;

/** @throws CannotRunHere */
export function assertHost() {
  if (process.platform !== 'linux') throw new CannotRunHere('it runs on Linux only');
  if (process.availableMemory() < memoryBytesMin) throw new CannotRunHere('less than 1 GB of memory is free');
  // OpenSearch refuses to be root; in a user namespace root is somebody else to itself.
  if (process.getuid?.() === 0 && spawnSync('unshare', ['--user', 'true']).status !== 0)
    throw new CannotRunHere('root may not make user namespaces here; run it as another account');
}

/** The first that is new enough and not too new. */
export function findJava() {
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

export function install() {
  if (existsSync(home)) return;
  for (const [tool, asked] of [
    ['mvn', '--version'],
    ['unzip', '-v'],
  ])
    if (spawnSync(tool, [asked]).error) throw new CannotRunHere(`${tool} is not installed`);
  say(`fetching OpenSearch ${version} from Maven Central`);
  mkdirSync(cache, { recursive: true });
  const build = path.join(cache, `build-${process.pid}`);
  const files = path.join(build, 'files');
  mkdirSync(files, { recursive: true });
  try {
    writeFileSync(path.join(build, 'pom.xml'), pom(files));
    fetchArtifacts(path.join(build, 'pom.xml'));
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
    place(server);
  } finally {
    rmSync(build, { recursive: true, force: true });
  }
}

/** What Maven says where it cannot reach what it asks. */
const unreachable = /Could not transfer|could not be resolved|Unknown host|offline mode/i;

function fetchArtifacts(file) {
  try {
    runTool('mvn', ['-q', '-B', '-f', file, 'initialize']);
  } catch (error) {
    if (!unreachable.test(error.message)) throw error;
    throw new CannotRunHere(`Maven Central is not reached: ${error.message.slice(0, 500)}`);
  }
}

/** Another process may have fetched the same meanwhile. */
function place(server) {
  try {
    renameSync(server, home);
  } catch (error) {
    if (!existsSync(home)) throw error;
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
