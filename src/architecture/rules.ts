import { type Edge, packageOf, scan } from './scan.ts';
import { testZone, type Zone, zoneOf } from './zones.ts';

/** Source text by path from the repository's folder. */
export type Sources = Map<string, string>;

const linesMax = 300;
const engineLinesMax = 400;
/** Data in the form of code: its length is no sign of several concepts. */
const dataFiles = ['src/server/demo/products.ts', 'src/client/route-tree.gen.ts'];
const generated = /\.gen\.ts$/;
const isTest = (file: string) => zoneOf(file)?.name === testZone;

/** All violations, as `from -> specifier: rule why`. */
export function check(sources: Sources): string[] {
  const files = [...sources.keys()];
  const scans = files.map((file) => ({ file, ...scan(file, sources.get(file) ?? '') }));
  const edges = scans.flatMap((one) => one.edges);
  return [
    ...files
      .filter((file) => zoneOf(file) === null)
      .map((file) => `${file}: R0 a new folder is a decision; give it a zone`),
    ...edges.flatMap(checkEdge),
    ...files.flatMap((file) => checkText(file, sources.get(file) ?? '')),
    ...scans
      .filter(({ file, hasComputedImport }) => hasComputedImport && !isTest(file))
      .map(({ file }) => `${file}: R13 no computed import()`),
    ...findCycles(edges),
    ...checkClientDoor(edges),
  ];
}

function checkEdge(edge: Edge): string[] {
  const from = zoneOf(edge.from);
  if (from === null || from.name === testZone) return [];
  const found = edge.to === null ? checkPackage(edge, from) : checkNeighbour(edge, edge.to, from);
  return found.map((rule) => `${edge.from} -> ${edge.specifier}: ${rule}`);
}

function checkPackage({ specifier }: Edge, from: Zone): string[] {
  const name = packageOf(specifier);
  const isAllowed = from.packages.some((own) =>
    own.endsWith('*') ? name.startsWith(own.slice(0, -1)) : own === name,
  );
  return isAllowed ? [] : [`R2 ${from.name} does not use this package`];
}

function checkNeighbour(edge: Edge, to: string, from: Zone): string[] {
  if (!/\.tsx?$/.test(to)) return [];
  const target = zoneOf(to);
  if (target === null) return [];
  if (target.name === testZone) return ['R14 nothing imports tests'];
  const rules: string[] = [];
  const isTheDoor =
    edge.from === 'src/client/lib/trpc.ts' && to === 'src/server/rpc/router.ts' && edge.isTypeOnly;
  if (target !== from && !from.zones.includes(target.name) && !isTheDoor) {
    rules.push(`R1 ${from.name} may not know ${target.name}`);
  }
  if (
    target.name === 'engine' &&
    from !== target &&
    !/engine\/(search-index|types|merged-types|snapshot|steps)\.ts$/.test(to)
  ) {
    rules.push('R4 the engine is entered through search-index, types, merged-types, snapshot and steps');
  }
  if (from.name === 'features' && target === from && featureOf(edge.from) !== featureOf(to)) {
    rules.push('R5 features do not know each other');
  }
  const isRouter = (file: string) => file.startsWith('src/server/rpc/routers/');
  if (isRouter(edge.from) && isRouter(to)) rules.push('R6 a router imports no router');
  if (
    from.name === 'rest' &&
    target.name === 'rpc' &&
    !/rpc\/(procedures|procedure-meta|call-procedure|context)\.ts$/.test(to)
  ) {
    rules.push('R6 rest knows the procedures as data, their context and how to call them');
  }
  if (target.name === 'deps' && from.name !== 'main' && !edge.isTypeOnly) {
    rules.push('R8 deps is a type; main builds it');
  }
  if (edge.specifier.startsWith('..') && target !== from && !isNear(from, target)) {
    rules.push('R13 a zone is crossed by #shared, #server or #client');
  }
  return rules;
}

/** `db/embedded` lies within `db`: going up from it is not going out. */
function isNear(from: Zone, target: Zone): boolean {
  return [from, target].every((zone) => zone.prefixes.every((prefix) => prefix.startsWith('src/server/db/')));
}

function featureOf(file: string): string | undefined {
  return file.split('/')[3];
}

/** Comments and strings can speak of anything; samples of code do. */
const wordsOnly = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;

function checkText(file: string, text: string): string[] {
  const code = text.replaceAll(wordsOnly, (words) => (words.startsWith('/') ? '' : "''"));
  const report = (rule: string) => `${file}: ${rule}`;
  const rules: string[] = [];
  if (!generated.test(file) && /^export default\b/m.test(text))
    rules.push('R10 one name per thing: no default export');
  if (isTest(file)) return rules.map(report);
  if (file !== 'src/server/env.ts' && /\bprocess\.env\b/.test(code))
    rules.push('R9 settings are read in env');
  if (/\bconsole\.(?:debug|error|info|log|table|trace|warn)\b/.test(code))
    rules.push('R9 what happens is said to the log');
  const max = file.startsWith('src/server/engine/') ? engineLinesMax : linesMax;
  if (text.split('\n').length > max + 1 && !dataFiles.includes(file)) rules.push(`R11 at most ${max} lines`);
  if (isBarrel(text) && !generated.test(file) && file !== 'src/server/db/schema/index.ts')
    rules.push('R12 no file of re-exports only');
  if (file.startsWith('src/server/engine/') && engineSins.test(code)) {
    rules.push('R2 the engine has no clock, no chance, no timers and waits for nothing');
  }
  return rules.map(report);
}

const engineSins =
  /\b(?:async\s|await\s|Math\.random|Date\.now|new Date\b|performance\.now|setTimeout|setInterval|queueMicrotask)/;

function isBarrel(text: string): boolean {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  const rest = code.replaceAll(/^export\b[^;]*?\bfrom\s+['"][^'"]+['"];?/gm, '').trim();
  return code !== '' && rest === '';
}

/** The console knows the server's types, once. */
function checkClientDoor(edges: Edge[]): string[] {
  return edges
    .filter(
      ({ from, to }) => from.startsWith('src/client/') && to?.startsWith('src/server/') && !isTest(from),
    )
    .filter(({ from, to, isTypeOnly }) => {
      const isDoor = from === 'src/client/lib/trpc.ts' && to === 'src/server/rpc/router.ts';
      return !isDoor || !isTypeOnly;
    })
    .map(
      ({ from, specifier }) =>
        `${from} -> ${specifier}: R3 the client sees the router's type, in lib/trpc only`,
    );
}

/** Cycles among imports of any kind: of values, what is loaded first would depend on who asks first; of types, neither file can be read alone. */
function findCycles(edges: Edge[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) {
    if (to !== null && !generated.test(from)) next.set(from, [...(next.get(from) ?? []), to]);
  }
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, trail: string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) found.push(`${[...trail.slice(start), file].join(' -> ')}: R7 no cycles`);
    if (start >= 0 || done.has(file)) return;
    for (const to of next.get(file) ?? []) visit(to, [...trail, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  return found;
}
