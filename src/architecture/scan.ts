import path from 'node:path';
import { parseSync, type StaticExport, type StaticImport, Visitor } from 'oxc-parser';

/** One import or re-export. */
export interface Edge {
  from: string;
  specifier: string;
  /** The file it leads to; null for a package. */
  to: string | null;
  isTypeOnly: boolean;
}

export interface Scan {
  edges: Edge[];
  /** `import(name)`: where it leads cannot be told from the text. */
  hasComputedImport: boolean;
}

/** Every edge of a file, as a parser sees it: static, dynamic and in type positions. */
export function scan(from: string, text: string): Scan {
  const { module, program } = parseSync(from, text);
  const edges: Edge[] = [];
  const add = (specifier: string, isTypeOnly: boolean) =>
    edges.push({ from, specifier, to: resolve(from, specifier), isTypeOnly });
  for (const statement of module.staticImports) add(statement.moduleRequest.value, isTypeOnly(statement));
  for (const statement of module.staticExports) {
    const specifier = statement.entries.find(({ moduleRequest }) => moduleRequest)?.moduleRequest?.value;
    if (specifier !== undefined) add(specifier, isTypeOnly(statement));
  }
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    literalOf(text.slice(start, end)),
  );
  for (const specifier of dynamic) if (specifier !== null) add(specifier, false);
  new Visitor({ TSImportType: ({ source }) => void add(source.value, true) }).visit(program);
  return { edges, hasComputedImport: dynamic.includes(null) };
}

/** `import type {…}`, or every name says `type`; an import without names runs the file. */
function isTypeOnly({ entries }: StaticImport | StaticExport): boolean {
  return entries.length > 0 && entries.every(({ isType }) => isType);
}

function literalOf(argument: string): string | null {
  return /^(['"])([^'"]*)\1$/.exec(argument.trim())?.[2] ?? null;
}

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  const own = /^#(shared|server|client)\/(.*)$/.exec(specifier);
  return own ? `src/${own[1]}/${own[2]}` : null;
}

/** `drizzle-orm` of `drizzle-orm/pg-core`, `@mantine/core` of `@mantine/core/styles.css`. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
