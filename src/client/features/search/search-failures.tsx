import { Alert } from '@mantine/core';
import { Icon } from '#client/components/display/icon.tsx';
import { alertTriangleIcon } from '#client/components/display/icon-shapes.gen.ts';
import { filterFault } from '#client/components/filter/filter-fault.ts';
import { formatNumber } from '#client/lib/format.ts';
import classes from './results.module.css';
import { typedPosition } from './search-request.ts';
import type { SearchResults } from './search-results.ts';
import type { SearchState } from './search-state.ts';

const namesShownMax = 5;

interface SearchFailuresProps {
  state: SearchState;
  failures: SearchResults['failures'];
}

/** What could not be searched: one line for each reason. */
export function SearchFailures({ state, failures }: SearchFailuresProps) {
  const told = failures.map(({ name, ...failure }) => ({ name, message: reasonOf(failure, state) }));
  const reasons = [...new Set(told.map(({ message }) => message))];
  return (
    <Alert
      color="yellow"
      icon={<Icon shape={alertTriangleIcon} />}
      title="Some collections could not be searched"
    >
      <ul className={classes['failures']}>
        {reasons.map((reason) => (
          <li key={reason}>{withNames(reason, told)}</li>
        ))}
      </ul>
    </Alert>
  );
}

/** What is wrong with the filter is said by its place in the typed text, not by the parameter's name. */
function reasonOf(
  { message, details }: Pick<SearchResults['failures'][number], 'message' | 'details'>,
  state: SearchState,
): string {
  const fault = filterFault(details, (at) => typedPosition(state, at));
  if (!fault) return message;
  const place = fault.position === null ? '' : ` at character ${fault.position + 1}`;
  return `in the filter${place}, ${fault.message}`;
}

function withNames(reason: string, failures: { name: string | null; message: string }[]): string {
  const names = failures.flatMap(({ name, message }) => (message === reason ? (name ?? []) : []));
  if (names.length === 0) return reason;
  const others = names.length - namesShownMax;
  const shown = names.slice(0, namesShownMax).join(', ');
  return `${shown}${others > 0 ? ` and ${formatNumber(others)} more` : ''}: ${reason}`;
}
