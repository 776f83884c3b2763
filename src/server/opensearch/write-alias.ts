/**
 * By which an index is written to. A cluster makes an index that is not there of a write to its name, unless told not to, and of other fields than ours;
 * it makes none of a write to an alias.
 */
export function writeAliasOf(index: string): string {
  const end = index.lastIndexOf('-');
  return `${index.slice(0, end)}-w${index.slice(end)}`;
}
