/** `acquisition_year` → "Acquisition year", `author.firstName` → "Author › First name": a field's name as people write it. */
export function fieldLabel(path: string): string {
  const parts = path.split('.').map((part) =>
    part
      .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
      .replace(/[_-]+/g, ' ')
      .trim()
      .split(/\s+/)
      // What is in capitals stays: ISBN, URL.
      .map((word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()))
      .join(' '),
  );
  const label = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(' › ');
  return label === '' ? path : label;
}
