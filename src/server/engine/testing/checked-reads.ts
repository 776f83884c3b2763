import type { Plugin } from 'vite';

/**
 * Finds reads beyond the end of a typed array. TypeScript wants a value for what such a read would answer, and the engine writes `array[i] ?? 0`;
 * so a wrong index is silently 0. In tests each of these reads is checked, in the product none: `a[i] ?? 0` becomes `checkedRead(a, i) ?? 0`.
 */
export function checkedReads(): Plugin {
  return {
    name: 'checked-reads',
    enforce: 'post',
    transform(code, id) {
      const file = id.split('?')[0] ?? '';
      if (!/\/src\/server\/engine\/(?!testing\/)/.test(file) || file.endsWith('.test.ts')) return null;
      const edits = editsOf(this.parse(code));
      return edits.length === 0 ? null : { code: `${edited(code, edits)}\n${checkedRead}`, map: null };
    },
  };
}

/** Reads so far, as a measure of work that does not depend on the machine. */
export function readsSoFar(): number {
  return (globalThis as { engineReads?: number }).engineReads ?? 0;
}

const checkedRead = `globalThis.engineReads ??= 0;
function checkedRead(array, index) {
  globalThis.engineReads += 1;
  if (ArrayBuffer.isView(array) && !(Number.isInteger(index) && index >= 0 && index < array.length))
    throw new RangeError('read of ' + index + ' in an array of ' + array.length);
  return array[index];
}`;

interface Edit {
  from: number;
  to: number;
  text: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** From the left operands of all `??` that are `object[index]`. */
function editsOf(root: unknown): Edit[] {
  const edits: Edit[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) visit(each);
    if (!isNode(value)) return;
    const { left } = value;
    if (value.type === 'LogicalExpression' && value['operator'] === '??' && isNode(left)) {
      const { object, property } = left;
      if (
        left.type === 'MemberExpression' &&
        left['computed'] === true &&
        isNode(object) &&
        isNode(property)
      ) {
        edits.push(
          { from: left.start, to: left.start, text: 'checkedRead(' },
          { from: object.end, to: property.start, text: ', ' },
          { from: property.end, to: left.end, text: ')' },
        );
      }
    }
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child);
  };
  visit(root);
  return edits;
}

function edited(code: string, edits: Edit[]): string {
  let result = code;
  for (const { from, to, text } of edits.toSorted((a, b) => b.from - a.from || b.to - a.to))
    result = result.slice(0, from) + text + result.slice(to);
  return result;
}
