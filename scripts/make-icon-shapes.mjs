// `npm run icons:generate`: the shapes of the icons that the console imports, from @tabler/icons-react. The package itself, six thousand
// icons, is so for development alone.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { at } from './freshness.mjs';

const client = 'src/client';
const generated = `${client}/components/display/icon-shapes.gen.ts`;
const theirs = 'node_modules/@tabler/icons-react';
const imports = /import \{([^}]*)\} from '[^']*\/icon-shapes\.gen\.ts'/g;

/** The module's text: a constant for each name that is imported from it anywhere in the console. */
export function makeIconShapes() {
  const { version } = JSON.parse(readFileSync(at(theirs, 'package.json'), 'utf8'));
  const license = readFileSync(at(theirs, 'LICENSE'), 'utf8').trim();
  return [
    `// Made by \`npm run icons:generate\` from @tabler/icons-react ${version}: the icons that the console imports from here.`,
    ...license.split('\n').map((line) => `// ${line}`.trimEnd()),
    "import type { IconShape } from './icon.tsx';",
    '',
    ...importedNames().map((name) => `export const ${name}: IconShape = ${JSON.stringify(shapeOf(name))};`),
    '',
  ].join('\n');
}

function importedNames() {
  const files = readdirSync(at(client), { recursive: true }).filter((file) => /\.tsx?$/.test(file));
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

if (process.argv[1] === at('scripts/make-icon-shapes.mjs')) writeFileSync(at(generated), makeIconShapes());
