/**
 * A small assembler: the instructions of WebAssembly's text format, one behind the other and not folded, to the bytes of a module that
 * imports its memory as `m.memory` and exports its functions. Source: WebAssembly Core Specification 2.0, chapter 5 (binary format) and
 * its SIMD instructions. It knows the instructions that the kernels use; any other is a fault of theirs and throws.
 */

type ValueType = 'i32' | 'i64' | 'f32' | 'f64' | 'v128';

export interface AssembledFunction {
  name: string;
  /** Names by type, in order. */
  params: readonly (readonly [name: string, type: ValueType])[];
  result: ValueType;
  locals: readonly (readonly [name: string, type: ValueType])[];
  /** Instructions with their immediates, parted by white space; what is behind `;;` in a line is a comment. */
  body: string;
}

const types = { i32: 0x7f, i64: 0x7e, f32: 0x7d, f64: 0x7c, v128: 0x7b } as const;
const noResult = 0x40;

/** Instructions without immediates. */
const plain: Record<string, number> = {
  'i32.eqz': 0x45,
  'i32.lt_u': 0x49,
  'i32.le_u': 0x4d,
  'f32.gt': 0x5e,
  'i32.ctz': 0x68,
  'i32.add': 0x6a,
  'i32.sub': 0x6b,
  'i32.mul': 0x6c,
  'i32.and': 0x71,
  'i32.or': 0x72,
  'i32.shl': 0x74,
  'i32.shr_u': 0x76,
  'i64.popcnt': 0x7b,
  'i64.add': 0x7c,
  'i64.xor': 0x85,
  'f32.add': 0x92,
  'f32.sub': 0x93,
  'f32.mul': 0x94,
  'f32.div': 0x95,
  'f64.add': 0xa0,
  'i32.wrap_i64': 0xa7,
  'f32.convert_i32_s': 0xb2,
  select: 0x1b,
};
/** Their number behind the prefix 0xfd. */
const simd: Record<string, number> = {
  'f64x2.promote_low_f32x4': 0x5f,
  'i16x8.extend_low_i8x16_s': 0x87,
  'i16x8.extend_high_i8x16_s': 0x88,
  'i32x4.add': 0xae,
  'i32x4.dot_i16x8_s': 0xba,
  'f32x4.add': 0xe4,
  'f32x4.mul': 0xe6,
  'f64x2.add': 0xf0,
  'f64x2.sub': 0xf1,
  'f64x2.mul': 0xf2,
};
const simdLanes: Record<string, number> = {
  'i32x4.extract_lane': 0x1b,
  'f32x4.extract_lane': 0x1f,
  'f64x2.extract_lane': 0x21,
};
/** With an `offset=`; the alignment they may count on is none. */
const memory: Record<string, number[]> = {
  'i32.load': [0x28],
  'i64.load': [0x29],
  'f32.load': [0x2a],
  'i32.store': [0x36],
  'f32.store': [0x38],
  'v128.load': [0xfd, 0x00],
  'v128.load64_zero': [0xfd, 0x5d],
};
const branches: Record<string, number> = { br: 0x0c, br_if: 0x0d };
const blocks: Record<string, number> = { block: 0x02, loop: 0x03 };
const locals: Record<string, number> = { 'local.get': 0x20, 'local.set': 0x21, 'local.tee': 0x22 };
const end = 0x0b;

/** @throws SyntaxError for what it does not know */
export function assemble(functions: readonly AssembledFunction[]): Uint8Array<ArrayBuffer> {
  const signatures = functions.map(({ params, result }) => [
    0x60,
    ...list(params.map(([, type]) => [types[type]])),
    ...list([[types[result]]]),
  ]);
  const importedMemory = [...text('m'), ...text('memory'), 0x02, 0x00, ...unsigned(0)];
  const exported = functions.map(({ name }, i) => [...text(name), 0x00, ...unsigned(i)]);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list(signatures)),
    ...section(2, list([importedMemory])),
    ...section(3, list(functions.map((_, i) => unsigned(i)))),
    ...section(7, list(exported)),
    ...section(10, list(functions.map(codeOf))),
  ]);
}

function codeOf(given: AssembledFunction): number[] {
  const declared = given.locals.map(([, type]) => [...unsigned(1), types[type]]);
  const code = [...list(declared), ...instructionsOf(given), end];
  return [...unsigned(code.length), ...code];
}

function instructionsOf({ params, locals: own, body }: AssembledFunction): number[] {
  const places = new Map([...params, ...own].map(([name], place) => [`$${name}`, place]));
  const words = body.replaceAll(/;;.*/g, '').split(/\s+/).filter(Boolean);
  const code: number[] = [];
  const labels: string[] = [];
  let at = 0;
  const next = () => words[at++] ?? '';
  while (at < words.length) {
    const word = next();
    if (word === 'end') {
      labels.pop();
      code.push(end);
    } else if (word in blocks) {
      labels.push(next());
      code.push(known(blocks, word), noResult);
    } else if (word in branches) code.push(known(branches, word), ...unsigned(depthOf(labels, next())));
    else if (word in locals) code.push(known(locals, word), ...unsigned(known(places, next())));
    else if (word === 'i32.const') code.push(0x41, ...signed(Number(next())));
    else if (word === 'f32.const') code.push(0x43, ...new Uint8Array(Float32Array.of(Number(next())).buffer));
    else if (word in memory) {
      const offset = /^offset=(\d+)$/.exec(words[at] ?? '')?.[1];
      if (offset !== undefined) at += 1;
      code.push(...known(memory, word), 0, ...unsigned(Number(offset ?? 0)));
    } else if (word in simdLanes) code.push(0xfd, ...unsigned(known(simdLanes, word)), Number(next()));
    else if (word in simd) code.push(0xfd, ...unsigned(known(simd, word)));
    else code.push(known(plain, word));
  }
  return code;
}

function known<Value>(table: Record<string, Value> | Map<string, Value>, word: string): Value {
  const value = table instanceof Map ? table.get(word) : table[word];
  if (value === undefined) throw new SyntaxError(`${word} is not known`);
  return value;
}

/** How many blocks lie between here and the label's. */
function depthOf(labels: string[], label: string): number {
  const place = labels.lastIndexOf(label);
  if (place < 0) throw new SyntaxError(`${label} is no label`);
  return labels.length - 1 - place;
}

function section(id: number, bytes: number[]): number[] {
  return [id, ...unsigned(bytes.length), ...bytes];
}

function list(items: number[][]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...unsigned(bytes.length), ...bytes];
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left & 0x7f) | 0x80);
  return [...bytes, left];
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  let left = value;
  for (; left < -64 || left > 63; left >>= 7) bytes.push((left & 0x7f) | 0x80);
  return [...bytes, left & 0x7f];
}
