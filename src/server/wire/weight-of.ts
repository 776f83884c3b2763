/** What an item that holds no others takes beside its characters, and so does a container. */
const itemUnits = 8;

/**
 * About how many characters a JSON value has as text, and so how long it takes to walk it; of more than `max` only that it is more, told
 * after as much of a walk. So large values are found and taken apart, and small ones are left to plain functions.
 */
export function weightOf(value: unknown, max: number): number {
  if (typeof value === 'string') return value.length + itemUnits;
  if (typeof value !== 'object' || value === null) return itemUnits;
  let weight = itemUnits;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && weight <= max; i += 1) weight += weightOf(value[i], max - weight);
    return weight;
  }
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) {
    if (weight > max) return weight;
    weight += name.length + weightOf(members[name], max - weight);
  }
  return weight;
}
