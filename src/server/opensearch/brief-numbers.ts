/** Nine digits tell any two numbers of single precision apart (`FLT_DECIMAL_DIG` of IEEE 754's binary32). */
const digits = 9;

/** Numbers of single precision as JSON writes them in half of the bytes; whoever reads them in single precision has the same. */
export function briefly(row: Float32Array): number[] {
  return Array.from(row, (component) => Number(component.toPrecision(digits)));
}
