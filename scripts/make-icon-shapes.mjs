// `npm run icons:generate`: the shapes of the icons that the console imports, from @tabler/icons-react. The package itself, six thousand
// icons, is so for development alone.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './freshness.mjs';

const client = 'src/client';
const folder = `${client}/components/display`;
/** What stands before anybody is signed in, and the frame: fetched with every page. The others' icons come with the console. */
const everywhere = /^(?:routes|lib|features\/(?:landing|accounts)|components\/(?:shell|feedback))\//;
const theirs = 'node_modules/@tabler/icons-react';
const imports = /import \{([^}]*)\} from '[^']*\/icon-shapes\.gen\.ts'/g;

/** By file: constants for the names that are imported anywhere in the console, in two modules, and the one that they are imported from. */
export function makeIconShapes() {
  const { version } = JSON.parse(readFileSync(at(theirs, 'package.json'), 'utf8'));
  const license = readFileSync(at(theirs, 'LICENSE'), 'utf8').trim();
  const head = [
    `// Made by \`npm run icons:generate\` from @tabler/icons-react ${version}: the icons that the console imports.`,
    ...license.split('\n').map((line) => `// ${line}`.trimEnd()),
  ];
  const shapes = (names) => [
    ...head,
    "import type { IconShape } from './icon.tsx';",
    '',
    ...names.map((name) => `export const ${name}: IconShape = ${JSON.stringify(shapeOf(name))};`),
    '',
  ];
  const files = readdirSync(at(client), { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  const first = importedNames(files.filter((file) => everywhere.test(file)));
  const others = importedNames(files).filter((name) => !first.includes(name));
  const all = [
    "export * from './first-icon-shapes.gen.ts';",
    "export * from './other-icon-shapes.gen.ts';",
    '',
  ];
  return {
    'first-icon-shapes.gen.ts': shapes(first).join('\n'),
    'other-icon-shapes.gen.ts': shapes(others).join('\n'),
    'icon-shapes.gen.ts': [...head, ...all].join('\n'),
  };
}

function importedNames(files) {
  const lists = files.flatMap((file) => [...readFileSync(at(client, file), 'utf8').matchAll(imports)]);
  const names = lists.flatMap(([, list]) => list.split(',').map((name) => name.trim()));
  return [...new Set(names)].filter((name) => name !== '').sort();
}

/** `folderPlusIcon` is their `IconFolderPlus`: path data, one path after the other. */
function shapeOf(name) {
  const file = path.join(
    theirs,
    `dist/esm/icons/Icon${name[0].toUpperCase()}${name.slice(1, -'Icon'.length)}.mjs`,
  );
  const nodes = /const __iconNode = (\[.*\]);/.exec(readFileSync(at(file), 'utf8'))?.[1];
  const shape = JSON.parse(nodes ?? '[]').map(([tag, { d }]) => (tag === 'path' ? d : undefined));
  if (shape.length === 0 || shape.includes(undefined)) throw new Error(`${file} is not made of paths alone`);
  return shape;
}

if (process.argv[1] === at('scripts/make-icon-shapes.mjs')) {
  for (const [file, text] of Object.entries(makeIconShapes())) writeFileSync(at(folder, file), text);
}
