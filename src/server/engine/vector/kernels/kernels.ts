/** What the kernels are asked; addresses are bytes in their memory. `kernel-texts.ts` says what each of them does. */
export interface Kernels {
  scanBits(
    rows: number,
    mask: number,
    maskEnd: number,
    query: number,
    most: number,
    out: number,
    first: number,
  ): number;
  scanList(
    list: number,
    listEnd: number,
    mask: number,
    query: number,
    most: number,
    out: number,
    passed: number,
  ): number;
  scanBytes(
    rows: number,
    mask: number,
    maskEnd: number,
    query: number,
    scales: number,
    factor: number,
    square: number,
    byNorm: number,
    least: number,
    out: number,
    first: number,
  ): number;
  scoreBytes(
    list: number,
    listEnd: number,
    codes: number,
    groupBytes: number,
    query: number,
    factor: number,
    square: number,
    byNorm: number,
    out: number,
  ): number;
  dotFloats(at: number, query: number): number;
  squaredDistance(at: number, query: number): number;
}
