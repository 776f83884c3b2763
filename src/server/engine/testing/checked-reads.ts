import type { Plugin } from 'vite';

/**
 * Finds reads beyond the end of a typed array. TypeScript wants a value for what such a read would answer, and the engine writes `array[i] ?? 0`;
 * so a wrong index is silently 0. In tests each of these reads is checked, in the product none: within a typed array no read answers undefined, so
 * `a[i] ?? 0` becomes `(engineReads[0] += 1, a[i] ?? missedRead(a, i)) ?? 0`. Where reading twice could be seen it becomes `checkedRead(a, i) ?? 0`;
 * everywhere, as it meets arrays of all kinds, it took a tenth of those tests that read most.
 */
export function checkedReads(): Plugin {
  return {
    name: 'checked-reads',
    enforce: 'post',
    transform(code, id) {
      const file = id.split('?')[0] ?? '';
      if (!/\/src\/server\/engine\/(?!testing\/)/.test(file) || file.endsWith('.test.ts')) return null;
      const edits = editsOf(this.parse(code), code);
      return edits.length === 0
        ? null
        : { code: `${counter} ${edited(code, edits)}\n${functions}`, map: null };
    },
  };
}

/** Reads so far, as a measure of work that does not depend on the machine. */
export function readsSoFar(): number {
  return (globalThis as { engineReads?: Float64Array }).engineReads?.[0] ?? 0;
}

/** Before all else: a module may read while it is evaluated. Shared by all modules. */
const counter = 'const engineReads = (globalThis.engineReads ??= new Float64Array(1));';

const functions = `function checkedRead(array, index) {
  engineReads[0] += 1;
  return array[index] ?? missedRead(array, index);
}
function missedRead(array, index) {
  if (ArrayBuffer.isView(array))
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
function editsOf(root: unknown, code: string): Edit[] {
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
        edits.push(...(isPure(object) && isPure(property) ? inPlace : byCall)(left, object, property));
      }
    }
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child);
  };
  const inPlace = (read: Node, object: Node, property: Node): Edit[] => {
    const [array, index] = [object, property].map(({ start, end }) => code.slice(start, end));
    return [
      { from: read.start, to: read.start, text: '(engineReads[0] += 1, ' },
      { from: read.end, to: read.end, text: ` ?? missedRead(${array}, ${index}))` },
    ];
  };
  visit(root);
  return edits;
}

const byCall = (read: Node, object: Node, property: Node): Edit[] => [
  { from: read.start, to: read.start, text: 'checkedRead(' },
  { from: object.end, to: property.start, text: ', ' },
  { from: property.end, to: read.end, text: ')' },
];

const pure = [
  'Identifier',
  'PrivateIdentifier',
  'ThisExpression',
  'Literal',
  'MemberExpression',
  'BinaryExpression',
];

/** Whether it may be evaluated twice, and has no reads inside that are checked. */
function isPure({ type, ...parts }: Node): boolean {
  return pure.includes(type) && Object.values(parts).filter(isNode).every(isPure);
}

function edited(code: string, edits: Edit[]): string {
  let result = code;
  for (const { from, to, text } of edits.toSorted((a, b) => b.from - a.from || b.to - a.to))
    result = result.slice(0, from) + text + result.slice(to);
  return result;
}
