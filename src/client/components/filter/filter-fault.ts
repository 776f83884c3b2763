import type { ErrorDetail } from '#shared/errors.ts';

/** What is wrong with the filter as typed; `position` is null where it is not known. */
export interface FilterFault {
  message: string;
  position: number | null;
}

/**
 * The part of a failure that is about `filter_by`, that of a search in a list of searches too; null: something else failed. `toTyped`: where a
 * position in what was sent lies in what was typed.
 */
export function filterFault(
  details: ErrorDetail[],
  toTyped: (position: number) => number | null,
): FilterFault | null {
  const detail = details.find(({ path }) => path.split('.').at(-1) === 'filter_by');
  if (!detail) return null;
  const { message, position } = detail;
  return { message, position: position === undefined ? null : toTyped(position) };
}
