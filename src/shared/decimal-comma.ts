/** `156,69` or `1.234,50`: a decimal comma, and points between thousands. As many digits as a number holds. */
const shape = /^-?(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:\.\d{3}){1,4})(?:,\d+)?$/;
/** What a comma between thousands is not followed by, or not preceded by. */
const certain = /,(?!\d{3}$)\d+$|\.\d{3},|^-?0,/;
/** Two numbers, be it of years or of postcodes: `2019,2020`. */
const pair = /^(\d{4,}),(\d{4,})$/;

/** Null: the cell is no number with a decimal comma. */
export function readDecimalComma(cell: string): number | null {
  return shape.test(cell) ? Number(cell.replaceAll('.', '').replace(',', '.')) : null;
}

/**
 * Whether a column of a table has numbers with a decimal comma and nothing else; that is not told of `1,234` alone, which may be a thousand, nor of `2019,2020`,
 * which may be two numbers.
 */
export function hasDecimalCommas(cells: readonly string[], { delimiter }: { delimiter: string }): boolean {
  return delimiter === ';' && cells.every((cell) => shape.test(cell)) && cells.some(isCertain);
}

function isCertain(cell: string): boolean {
  const [, one, other] = pair.exec(cell) ?? [];
  return certain.test(cell) && (one === undefined || one.length !== other?.length);
}
