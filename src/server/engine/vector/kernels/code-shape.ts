/** Rows whose codes of a kind lie together. */
export const groupRows = 512;

/** Rows of a part of a list: their numbers, their documents' ordinals, their bits. */
export const partRows = 64;

/** Bytes of a row's codes, padded so that kernels read whole parts of 16 bytes. */
export interface CodeShape {
  dimension: number;
  /** Of a bit for each component. */
  bitStride: number;
  /** Of a byte for each. */
  byteStride: number;
  /** Of single-precision numbers. */
  floatStride: number;
}

export function codeShapeOf(dimension: number): CodeShape {
  const padded = (bytes: number) => Math.ceil(bytes / 16) * 16;
  return {
    dimension,
    bitStride: padded(Math.ceil(dimension / 8)),
    byteStride: padded(dimension),
    floatStride: padded(dimension * 4),
  };
}
