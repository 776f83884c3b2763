import { limitTexts } from '#shared/limit-texts.ts';
import { limits } from '#shared/limits.ts';

const names = Object.keys(limitTexts) as (keyof typeof limits)[];

/** All limits by their names, for the API's description: in bytes, characters, hours or pieces, as the name says. */
export function describeLimits(): Record<string, { value: number; description: string }> {
  return Object.fromEntries(
    names.map((name) => [name, { value: limits[name], description: limitTexts[name] }]),
  );
}

/** All limits as a table in Markdown, for `docs/limits.md`. */
export function limitsText(): string {
  const rows = names.map((name) => `| ${limitTexts[name]} | ${valueText(name)} | \`${name}\` |`);
  return ['| limit | value | name |', '|---|---|---|', ...rows].join('\n');
}

function valueText(name: keyof typeof limits): string {
  const value = limits[name];
  if (name.includes('Bytes')) return sizeText(value);
  if (name.includes('Hours')) return `${value} hours`;
  return name.includes('Days') ? `${value} days` : countText(value);
}

export function countText(value: number): string {
  return value.toLocaleString('en-US');
}

/** A size that is a whole number of its unit. */
export function sizeText(bytes: number): string {
  if (bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KB` : `${countText(bytes)} bytes`;
}
