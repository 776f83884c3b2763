/**
 * The kernels as text, made for a number of components: loops over the parts of one row are written out, since they are short. Rows are
 * padded with zeros to whole 16 bytes. Addresses are bytes in the one memory. `scalar-kernels.ts` says the same in JavaScript.
 *
 * Both scans visit the rows whose bit is set in a mask, a word of 32 rows at a time, and write down what is near enough; every row is
 * written and the end moves only behind those that are, which spares a branch that no processor could foresee.
 */
import type { AssembledFunction } from './assemble.ts';
import type { CodeShape } from './code-shape.ts';

/** Bytes that a count of bits, at most 8, is added to before it might overflow. */
const addedMost = 31;

export function kernelTexts(shape: CodeShape): AssembledFunction[] {
  return [scanBits(shape), scanBytes(shape), dotBytes(shape), dotFloats(shape), squaredDistance(shape)];
}

const scanned = [
  ['rows', 'i32'],
  ['mask', 'i32'],
  ['maskEnd', 'i32'],
] as const;

/** Runs `each` for the rows of the mask: `$row` is one's place, `$at` its address. */
const scan = (stride: number, each: string) => `
  loop $words
    local.get $mask  i32.load  local.set $left
    block $empty
      local.get $left  i32.eqz  br_if $empty
      loop $rowsLeft
        local.get $left  i32.ctz  local.tee $row
        i32.const ${stride}  i32.mul  local.get $rows  i32.add  local.set $at
        ${each}
        local.get $left  local.get $left  i32.const 1  i32.sub  i32.and  local.tee $left  ;; without its lowest bit
        br_if $rowsLeft
      end
    end
    local.get $rows  i32.const ${32 * stride}  i32.add  local.set $rows
    local.get $first  i32.const 32  i32.add  local.set $first
    local.get $mask  i32.const 4  i32.add  local.tee $mask
    local.get $maskEnd  i32.lt_u  br_if $words
  end
  local.get $out`;

/** Hamming distances: writes distance · 65,536 + row where the distance is at most `most`; answers the end of what it wrote. */
function scanBits({ bitStride }: CodeShape): AssembledFunction {
  const parts = Array.from({ length: bitStride / 16 }, (_, i) => i);
  const counted = parts.map((i) => {
    const bits = `local.get $at  v128.load offset=${i * 16}  local.get $q${i}  v128.xor  i8x16.popcnt`;
    const isFirst = i % addedMost === 0;
    const isLast = i % addedMost === addedMost - 1 || i === parts.length - 1;
    return [
      bits,
      ...(isFirst ? [] : ['i8x16.add']),
      ...(isLast ? ['i16x8.extadd_pairwise_i8x16_u'] : []),
      ...(isLast && i >= addedMost ? ['i16x8.add'] : []),
    ].join('\n');
  });
  return {
    name: 'scanBits',
    params: [...scanned, ['query', 'i32'], ['most', 'i32'], ['out', 'i32'], ['first', 'i32']],
    result: 'i32',
    locals: [
      ['left', 'i32'],
      ['row', 'i32'],
      ['at', 'i32'],
      ['distance', 'i32'],
      ['sum', 'v128'],
      ...parts.map((i) => [`q${i}`, 'v128'] as const),
    ],
    body: `
      ${parts.map((i) => `local.get $query  v128.load offset=${i * 16}  local.set $q${i}`).join('\n')}
      ${scan(
        bitStride,
        `${counted.join('\n')}
        i32x4.extadd_pairwise_i16x8_u  local.set $sum
        ${lanesOf('sum')}
        local.set $distance
        local.get $out
        local.get $distance  i32.const 16  i32.shl  local.get $first  local.get $row  i32.add  i32.or
        i32.store
        local.get $out  local.get $distance  local.get $most  i32.le_u  i32.const 2  i32.shl  i32.add  local.set $out`,
      )}`,
  };
}

/**
 * Scores of whole-number codes: with p the product of the codes · scale · `factor`, (p − `square` · norm²) / (norm if `byNorm`, else 1), in
 * single precision. Writes row and score where it is over `least`. Scale and norm of a row lie side by side.
 */
function scanBytes(shape: CodeShape): AssembledFunction {
  return {
    name: 'scanBytes',
    params: [
      ...scanned,
      ['query', 'i32'],
      ['scales', 'i32'],
      ['factor', 'f32'],
      ['square', 'f32'],
      ['byNorm', 'i32'],
      ['least', 'f32'],
      ['out', 'i32'],
      ['first', 'i32'],
    ],
    result: 'i32',
    locals: [
      ['left', 'i32'],
      ['row', 'i32'],
      ['at', 'i32'],
      ['scale', 'i32'],
      ['norm', 'f32'],
      ['score', 'f32'],
      ['part', 'v128'],
      ['sum', 'v128'],
    ],
    body: scan(
      shape.byteStride,
      `${productOfBytes(shape)}
      f32.convert_i32_s
      local.get $first  local.get $row  i32.add  i32.const 3  i32.shl  local.get $scales  i32.add  local.tee $scale
      f32.load  f32.mul  local.get $factor  f32.mul
      local.get $scale  f32.load offset=4  local.tee $norm  local.get $norm  f32.mul  local.get $square  f32.mul
      f32.sub
      local.get $norm  f32.const 1  local.get $byNorm  select
      f32.div  local.set $score
      local.get $out  local.get $first  local.get $row  i32.add  i32.store
      local.get $out  local.get $score  f32.store offset=4
      local.get $out  local.get $score  local.get $least  f32.gt  i32.const 3  i32.shl  i32.add  local.set $out`,
    ),
  };
}

/** The product of a row's codes, bytes, and the query's, 16-bit numbers. */
function dotBytes(shape: CodeShape): AssembledFunction {
  return {
    name: 'dotBytes',
    params: [
      ['at', 'i32'],
      ['query', 'i32'],
    ],
    result: 'i32',
    locals: [
      ['part', 'v128'],
      ['sum', 'v128'],
    ],
    body: productOfBytes(shape),
  };
}

/** Of the row at `$at`. */
function productOfBytes({ byteStride }: CodeShape): string {
  const parts = Array.from({ length: byteStride / 16 }, (_, i) => {
    const half = (which: string, offset: number) =>
      `local.get $part  i16x8.extend_${which}_i8x16_s  local.get $query  v128.load offset=${offset}  i32x4.dot_i16x8_s`;
    return `
      local.get $at  v128.load offset=${i * 16}  local.set $part
      ${half('low', i * 32)}
      ${half('high', i * 32 + 16)}
      i32x4.add  ${i === 0 ? '' : 'i32x4.add'}`;
  });
  return `${parts.join('\n')} local.set $sum ${lanesOf('sum')}`;
}

const lanesOf = (name: string) => `
  local.get $${name}  i32x4.extract_lane 0
  local.get $${name}  i32x4.extract_lane 1  i32.add
  local.get $${name}  i32x4.extract_lane 2  i32.add
  local.get $${name}  i32x4.extract_lane 3  i32.add`;

/** In doubles, as the query is; four sums, the first of the components 0, 4, 8 … */
const dotFloats = (shape: CodeShape) =>
  overFloats('dotFloats', shape, (offset) => `${floats('at', offset)} ${doubles(offset)} f64x2.mul`);

const squaredDistance = (shape: CodeShape) =>
  overFloats(
    'squaredDistance',
    shape,
    (offset) =>
      `${doubles(offset)} ${floats('at', offset)} f64x2.sub local.tee $part local.get $part f64x2.mul`,
  );

/** Two components from this one on. */
const floats = (name: string, i: number) =>
  `local.get $${name}  v128.load64_zero offset=${i * 4}  f64x2.promote_low_f32x4`;
const doubles = (i: number) => `local.get $query  v128.load offset=${i * 8}`;

/** Four components in a turn. */
function overFloats(
  name: string,
  { floatStride }: CodeShape,
  two: (component: number) => string,
): AssembledFunction {
  return {
    name,
    params: [
      ['at', 'i32'],
      ['query', 'i32'],
    ],
    result: 'f64',
    locals: [
      ['end', 'i32'],
      ['part', 'v128'],
      ['ab', 'v128'],
      ['cd', 'v128'],
    ],
    body: `
      local.get $at  i32.const ${floatStride}  i32.add  local.set $end
      loop $parts
        local.get $ab  ${two(0)}  f64x2.add  local.set $ab
        local.get $cd  ${two(2)}  f64x2.add  local.set $cd
        local.get $query  i32.const 32  i32.add  local.set $query
        local.get $at  i32.const 16  i32.add  local.tee $at
        local.get $end  i32.lt_u  br_if $parts
      end
      local.get $ab  f64x2.extract_lane 0
      local.get $ab  f64x2.extract_lane 1  f64.add
      local.get $cd  f64x2.extract_lane 0  f64.add
      local.get $cd  f64x2.extract_lane 1  f64.add`,
  };
}
