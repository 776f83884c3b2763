import { jsonLanguage } from '@codemirror/lang-json';

type Node = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

interface Place {
  from: number;
  to: number;
}

/**
 * Where the value at a path of a document stands in its JSON text: `author.name`, `tags.2`, keys that hold a dot included. What is not there: the
 * opening bracket of what it would stand in.
 */
export function placeOf(text: string, path: string): Place {
  const top = jsonLanguage.parser.parse(text).topNode.firstChild;
  if (!top) return { from: 0, to: 0 };
  return find(text, top, path) ?? { from: top.from, to: Math.min(top.from + 1, text.length) };
}

function find(text: string, node: Node, path: string): Place | null {
  if (path === '') return { from: node.from, to: node.to };
  if (node.name === 'Array') return findItem(text, node, path);
  for (const property of node.getChildren('Property')) {
    const name = property.getChild('PropertyName');
    const value = property.lastChild;
    if (!name || !value || value.name === 'PropertyName') continue;
    const key = keyOf(text.slice(name.from, name.to));
    if (key === path) return { from: value.from, to: value.to };
    const place = path.startsWith(`${key}.`) ? find(text, value, path.slice(key.length + 1)) : null;
    if (place) return place;
  }
  return null;
}

/** By its index where the path has one, else in any of them. */
function findItem(text: string, node: Node, path: string): Place | null {
  const [, index, rest = ''] = /^(\d+)(?:\.(.*))?$/s.exec(path) ?? [];
  const items: Node[] = [];
  for (let item = node.firstChild; item; item = item.nextSibling) {
    if (!/^[[\],]$/.test(item.name)) items.push(item);
  }
  const numbered = index === undefined ? undefined : items[Number(index)];
  if (numbered) return find(text, numbered, rest);
  for (const item of items) {
    const place = find(text, item, path);
    if (place) return place;
  }
  return null;
}

function keyOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // It is still being written.
    return quoted;
  }
}
