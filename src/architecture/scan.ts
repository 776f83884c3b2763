import path from 'node:path';

/** One import or re-export, as text says it. */
export interface Edge {
  from: string;
  specifier: string;
  /** The file it leads to; null for a package. */
  to: string | null;
  isTypeOnly: boolean;
  isReexport: boolean;
}

const statement = /^(import|export)\b([^;'"]*?)\bfrom\s+['"]([^'"]+)['"]/gm;
const sideEffect = /^import\s+['"]([^'"]+)['"]/gm;
const inline = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Not a method that is called `import`. */
export const computedImport = /(?:\bawait|=>|=|\breturn|[(,:])\s*import\(\s*[^'"\s]/;

/** Every edge of a file, found in its text; the formatter guarantees how imports look. */
export function edgesOf(from: string, text: string): Edge[] {
  const edge = (specifier: string, isTypeOnly: boolean, isReexport = false): Edge => ({
    from,
    specifier,
    to: resolve(from, specifier),
    isTypeOnly,
    isReexport,
  });
  return [
    ...[...text.matchAll(statement)].map(([, keyword, clause = '', specifier = '']) =>
      edge(specifier, isTypeClause(clause), keyword === 'export'),
    ),
    ...[...text.matchAll(sideEffect)].map(([, specifier = '']) => edge(specifier, false)),
    ...[...text.matchAll(inline)].map(([, specifier = '']) =>
      edge(specifier, isTypePosition(text, specifier)),
    ),
  ];
}

/** `import type {…}`, or braces in which every name says `type`. */
function isTypeClause(clause: string): boolean {
  if (/^\s*type\b/.test(clause)) return true;
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1];
  if (names === undefined) return false;
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .every((name) => name.startsWith('type '));
}

/** `import('…').Name` is a type, `await import('…')` and `() => import('…')` load. */
function isTypePosition(text: string, specifier: string): boolean {
  const place = text.indexOf(`import('${specifier}')`);
  return place >= 0 && /[:<|&,]\s*$/.test(text.slice(0, place)) && !/\bawait\s*$/.test(text.slice(0, place));
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
