/**
 * WebAssembly's text form to its bytes: the part of it that kernels need. Every instruction is folded, `(i32.add (local.get $x) (i32.const 1))`;
 * functions, parameters, locals and labels have names; a module has functions and one imported memory, which is shared.
 * Source: WebAssembly Core Specification 2.0 (W3C), chapters 5 and 6.
 */

const valueTypes = { i32: 0x7f, f32: 0x7d, v128: 0x7b };

/** Opcodes; those of vectors come after 0xfd. */
const plain = {
  return: 0x0f,
  call: 0x10,
  'local.get': 0x20,
  'local.set': 0x21,
  'local.tee': 0x22,
  'f32.load': 0x2a,
  'f32.store': 0x38,
  'i32.const': 0x41,
  'f32.const': 0x43,
  'i32.lt_u': 0x49,
  'i32.add': 0x6a,
  'i32.sub': 0x6b,
  'i32.mul': 0x6c,
  'i32.and': 0x71,
  'i32.shl': 0x74,
  'i32.shr_u': 0x76,
  'f32.gt': 0x5e,
  'f32.sqrt': 0x91,
  'f32.add': 0x92,
  'f32.mul': 0x94,
  'f32.div': 0x95,
  'f32.max': 0x97,
  'f32.convert_i32_u': 0xb3,
};
const vector = {
  'v128.load': 0,
  'v128.load8x8_s': 1,
  'v128.load32_splat': 9,
  'v128.store': 11,
  'v128.const': 12,
  'i8x16.shuffle': 13,
  'f32x4.splat': 19,
  'f32x4.extract_lane': 31,
  'f32x4.replace_lane': 32,
  'f32x4.nearest': 106,
  'i16x8.narrow_i32x4_s': 133,
  'i32x4.shl': 171,
  'i32x4.add': 174,
  'i32x4.dot_i16x8_s': 186,
  'f32x4.abs': 224,
  'f32x4.add': 228,
  'f32x4.sub': 229,
  'f32x4.mul': 230,
  'f32x4.div': 231,
  'f32x4.min': 232,
  'f32x4.max': 233,
  'i32x4.trunc_sat_f32x4_s': 248,
  'f32x4.convert_i32x4_s': 250,
};
/** Log2 of the bytes that are read or written. */
const alignments = {
  'f32.load': 2,
  'f32.store': 2,
  'v128.load': 4,
  'v128.load8x8_s': 3,
  'v128.load32_splat': 2,
  'v128.store': 4,
};
const lanes = new Set(['f32x4.extract_lane', 'f32x4.replace_lane']);

/** @throws Error naming what is not understood */
export function assembleWasm(text) {
  const [module, ...rest] = parse(text);
  if (module?.[0] !== 'module' || rest.length > 0) throw new Error('a module is expected, and nothing else');
  const functions = module.slice(1).filter(([kind]) => kind === 'func');
  const memory = module.slice(1).find(([kind]) => kind === 'import');
  if (functions.length + 1 !== module.length - 1 || memory?.[3]?.[0] !== 'memory') {
    throw new Error('a module has one imported memory, and functions');
  }
  const places = new Map(functions.map(([, name], place) => [name, place]));
  const read = functions.map((each) => readFunction(each, places));
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(read.map(({ type }) => type))),
    ...section(
      2,
      list([
        [
          ...string(memory[1]),
          ...string(memory[2]),
          2,
          3,
          ...unsigned(memory[3][1]),
          ...unsigned(memory[3][2]),
        ],
      ]),
    ),
    ...section(3, list(read.map((_, place) => unsigned(place)))),
    ...section(
      7,
      list(
        read.flatMap(({ exported }, place) =>
          exported ? [[...string(exported), 0, ...unsigned(place)]] : [],
        ),
      ),
    ),
    ...section(10, list(read.map(({ code }) => [...unsigned(code.length), ...code]))),
  ]);
}

/** Text to nested lists of words; a comment goes from `;;` to the end of its line. */
function parse(text) {
  const open = [[]];
  for (const [word] of text.replaceAll(/;;.*/g, '').matchAll(/[()]|"[^"]*"|[^\s()]+/g)) {
    if (word === '(') open.push([]);
    else if (word === ')') {
      const closed = open.pop();
      if (open.length === 0) throw new Error('a parenthesis too many');
      open.at(-1).push(closed);
    } else open.at(-1).push(word);
  }
  if (open.length !== 1) throw new Error('a parenthesis is missing');
  return open[0];
}

function readFunction([, name, ...parts], functions) {
  const of = (kind) => parts.filter((part) => part[0] === kind);
  const declared = [...of('param'), ...of('local')];
  const locals = new Map(declared.map(([, local], place) => [local, place]));
  if (locals.size !== declared.length) throw new Error(`${name} has two locals of one name`);
  const types = (kind) => of(kind).map((part) => valueType(part.at(-1)));
  const heads = new Set(['export', 'param', 'result', 'local']);
  const body = parts.filter((part) => !heads.has(part[0]));
  const code = body.flatMap((each) => instruction(each, { functions, locals, labels: [] }));
  return {
    type: [
      0x60,
      ...list(types('param').map((each) => [each])),
      ...list(types('result').map((each) => [each])),
    ],
    exported: of('export')[0]?.[1],
    code: [...list(types('local').map((each) => [1, each])), ...code, 0x0b],
  };
}

function instruction([name, ...parts], scope) {
  if (name === 'block' || name === 'loop') {
    const [label, ...body] = parts;
    const inner = { ...scope, labels: [label, ...scope.labels] };
    return [name === 'block' ? 0x02 : 0x03, 0x40, ...body.flatMap((each) => instruction(each, inner)), 0x0b];
  }
  const words = parts.filter((part) => typeof part === 'string');
  const operands = parts.filter((part) => typeof part !== 'string');
  const before = operands.flatMap((each) => instruction(each, scope));
  if (name === 'br_if') return [...before, 0x0d, ...unsigned(found(scope.labels.indexOf(words[0]), words))];
  const code = plain[name] === undefined ? [0xfd, ...unsigned(found(vector[name], name))] : [plain[name]];
  return [...before, ...code, ...immediates(name, words, scope)];
}

function immediates(name, words, { functions, locals }) {
  if (name === 'call') return unsigned(found(functions.get(words[0]), words));
  if (name.startsWith('local.')) return unsigned(found(locals.get(words[0]), words));
  if (name === 'i32.const') return signed(Number(words[0]));
  if (name === 'f32.const') return [...new Uint8Array(Float32Array.of(Number(words[0])).buffer)];
  if (name === 'v128.const') return [...new Uint8Array(Float32Array.from(words.slice(1), Number).buffer)];
  if (name === 'i8x16.shuffle') return words.map(Number);
  if (lanes.has(name)) return unsigned(words[0]);
  if (alignments[name] === undefined) return [];
  return [alignments[name], ...unsigned(words[0]?.replace('offset=', '') ?? 0)];
}

const valueType = (name) => found(valueTypes[name], name);

function found(number, name) {
  if (number === undefined || number < 0) throw new Error(`${name} is not known`);
  return number;
}

const list = (items) => [...unsigned(items.length), ...items.flat()];
const section = (id, content) => [id, ...unsigned(content.length), ...content];

function string(quoted) {
  const bytes = new TextEncoder().encode(quoted.slice(1, -1));
  return [...unsigned(bytes.length), ...bytes];
}

/** LEB128. */
function unsigned(value) {
  const bytes = [];
  let rest = Number(value);
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value) {
  const bytes = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(isLast ? low : low | 0x80);
    if (isLast) return bytes;
  }
}
