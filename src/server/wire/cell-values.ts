/** A number as JSON writes it, so that a code with leading zeros is none; null: it is none, or has more digits than a number holds. */
export function cellNumber(cell: string): number | null {
  if (!/^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/.test(cell)) return null;
  const value = Number(cell);
  return Number.isFinite(value) ? value : null;
}

export function cellBoolean(cell: string): boolean | null {
  if (!/^(?:true|false)$/i.test(cell)) return null;
  return cell.toLowerCase() === 'true';
}
