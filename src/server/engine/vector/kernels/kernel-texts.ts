/**
 * The kernels as text, made for a number of components: loops over the parts of one row are written out, since they are short. Rows are
 * padded with zeros to whole 16 bytes. Addresses are bytes in the one memory. `scalar-kernels.ts` says the same in JavaScript.
 *
 * Both scans visit the rows whose bit is set in a mask, a word of 32 rows at a time, and write down what is near enough; every row is
 * written and the end moves only behind those that are, which spares a branch that no processor could foresee.
 */
import type { AssembledFunction } from './assemble.ts';
import { type CodeShape, groupRows, partRows } from './code-shape.ts';

export function kernelTexts(shape: CodeShape): AssembledFunction[] {
  return [
    scanBits(shape),
    scanList(shape),
    scanBytes(shape),
    scoreBytes(shape),
    dotFloats(shape),
    squaredDistance(shape),
  ];
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
function scanBits(shape: CodeShape): AssembledFunction {
  const { bitStride } = shape;
  return {
    name: 'scanBits',
    params: [...scanned, ['query', 'i32'], ['most', 'i32'], ['out', 'i32'], ['first', 'i32']],
    result: 'i32',
    locals: [['left', 'i32'], ['row', 'i32'], ['at', 'i32'], ['distance', 'i32'], ...bitLocals(shape)],
    body: `
      ${bitQuery(shape)}
      ${scan(
        bitStride,
        `${distanceOfBits(shape)}
        local.get $out
        local.get $distance  i32.const 16  i32.shl  local.get $first  local.get $row  i32.add  i32.or
        i32.store
        local.get $out  local.get $distance  local.get $most  i32.le_u  i32.const 2  i32.shl  i32.add  local.set $out`,
      )}`,
  };
}

/**
 * The same for a part of a list, among the rows whose documents' bits are set in a mask: writes row and distance, and at `passed` how many pass. That a row does not pass spares nothing: its bits are read anyway, and a branch that is often foreseen wrongly costs more.
 */
function scanList(shape: CodeShape): AssembledFunction {
  return {
    name: 'scanList',
    params: [
      ['list', 'i32'],
      ['listEnd', 'i32'],
      ['mask', 'i32'],
      ['query', 'i32'],
      ['most', 'i32'],
      ['out', 'i32'],
      ['passed', 'i32'],
    ],
    result: 'i32',
    locals: [
      ['at', 'i32'],
      ['owner', 'i32'],
      ['passes', 'i32'],
      ['count', 'i32'],
      ['distance', 'i32'],
      ...bitLocals(shape),
    ],
    body: `
      ${bitQuery(shape)}
      local.get $list  i32.const ${2 * 4 * partRows}  i32.add  local.set $at
      loop $rows
        local.get $list  i32.load offset=${4 * partRows}  local.tee $owner
        i32.const 5  i32.shr_u  i32.const 2  i32.shl  local.get $mask  i32.add  i32.load
        local.get $owner  i32.shr_u  i32.const 1  i32.and  local.tee $passes
        local.get $count  i32.add  local.set $count
        ${distanceOfBits(shape)}
        local.get $out  local.get $list  i32.load  i32.store
        local.get $out  local.get $distance  i32.store offset=4
        local.get $out
        local.get $distance  local.get $most  i32.le_u  local.get $passes  i32.and  i32.const 3  i32.shl
        i32.add  local.set $out
        local.get $at  i32.const ${shape.bitStride}  i32.add  local.set $at
        local.get $list  i32.const 4  i32.add  local.tee $list
        local.get $listEnd  i32.lt_u  br_if $rows
      end
      local.get $passed  local.get $count  i32.store
      local.get $out`,
  };
}

/** Of 64 bits: a processor counts these in one instruction, and those of 16 bytes at once in a dozen. */
const partsOfBits = ({ bitStride }: CodeShape) => Array.from({ length: bitStride / 8 }, (_, i) => i);

const bitLocals = (shape: CodeShape) => partsOfBits(shape).map((i) => [`q${i}`, 'i64'] as const);

/** The query's bits, at `$query`, into their locals. */
const bitQuery = (shape: CodeShape) =>
  partsOfBits(shape)
    .map((i) => `local.get $query  i64.load offset=${i * 8}  local.set $q${i}`)
    .join('\n');

/** Of the row at `$at`, into `$distance`. */
function distanceOfBits(shape: CodeShape): string {
  const counted = partsOfBits(shape).map(
    (i) =>
      `local.get $at  i64.load offset=${i * 8}  local.get $q${i}  i64.xor  i64.popcnt  ${i === 0 ? '' : 'i64.add'}`,
  );
  return `${counted.join('\n')}  i32.wrap_i64  local.set $distance`;
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
      `local.get $first  local.get $row  i32.add  i32.const 3  i32.shl  local.get $scales  i32.add  local.set $scale
      ${scoreOfBytes(shape)}
      local.get $out  local.get $first  local.get $row  i32.add  i32.store
      local.get $out  local.get $score  f32.store offset=4
      local.get $out  local.get $score  local.get $least  f32.gt  i32.const 3  i32.shl  i32.add  local.set $out`,
    ),
  };
}

/**
 * The same scores of listed rows of any groups, one behind the other: a call for each of them costs as much again as its product. `codes` are those of
 * the first group.
 */
function scoreBytes(shape: CodeShape): AssembledFunction {
  return {
    name: 'scoreBytes',
    params: [
      ['list', 'i32'],
      ['listEnd', 'i32'],
      ['codes', 'i32'],
      ['groupBytes', 'i32'],
      ['query', 'i32'],
      ['factor', 'f32'],
      ['square', 'f32'],
      ['byNorm', 'i32'],
      ['out', 'i32'],
    ],
    result: 'i32',
    locals: [
      ['row', 'i32'],
      ['group', 'i32'],
      ['at', 'i32'],
      ['scale', 'i32'],
      ['norm', 'f32'],
      ['score', 'f32'],
      ['part', 'v128'],
      ['sum', 'v128'],
    ],
    body: `
      loop $rows
        local.get $list  i32.load  local.tee $row
        i32.const ${Math.log2(groupRows)}  i32.shr_u  local.get $groupBytes  i32.mul  local.get $codes  i32.add  local.tee $group
        local.get $row  i32.const ${groupRows - 1}  i32.and  local.tee $row
        i32.const ${shape.byteStride}  i32.mul  i32.add  local.set $at
        local.get $row  i32.const 3  i32.shl  local.get $group  i32.add
        i32.const ${groupRows * shape.byteStride}  i32.add  local.set $scale
        ${scoreOfBytes(shape)}
        local.get $out  local.get $score  f32.store
        local.get $out  i32.const 4  i32.add  local.set $out
        local.get $list  i32.const 4  i32.add  local.tee $list
        local.get $listEnd  i32.lt_u  br_if $rows
      end
      local.get $out`,
  };
}

/** Of the row at `$at`, whose scale is at `$scale`. */
const scoreOfBytes = (shape: CodeShape) => `
  ${productOfBytes(shape)}
  f32.convert_i32_s  local.get $scale  f32.load  f32.mul  local.get $factor  f32.mul
  local.get $scale  f32.load offset=4  local.tee $norm  local.get $norm  f32.mul  local.get $square  f32.mul
  f32.sub
  local.get $norm  f32.const 1  local.get $byNorm  select
  f32.div  local.set $score`;

/** The product of a row's codes, bytes at `$at`, and the query's, 16-bit numbers. */
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
