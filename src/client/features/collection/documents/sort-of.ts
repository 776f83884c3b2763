/** `year:desc` in its parts; null: in the order of the ids. */
interface Sorting {
  field: string;
  direction: 'asc' | 'desc';
}

export function readSort(sort: string): Sorting | null {
  const [, field, direction] = /^(.+):(asc|desc)$/s.exec(sort) ?? [];
  return field !== undefined && (direction === 'asc' || direction === 'desc') ? { field, direction } : null;
}

/** A click on a column's head: upwards, downwards, not at all. */
export function nextSort(sort: string, field: string): string {
  const now = readSort(sort);
  if (now?.field !== field) return `${field}:asc`;
  return now.direction === 'asc' ? `${field}:desc` : '';
}
