import { Popover, UnstyledButton } from '@mantine/core';
import type { StepTime } from '#shared/search.ts';
import classes from './step-times.module.css';

const names: Record<StepTime['step'], string> = {
  query: 'Reading the query',
  embedding: 'Embedding the words',
  waiting: 'Waiting for a turn',
  filter: 'Filter',
  words: 'Matching words',
  vector: 'Comparing vectors',
  ranking: 'Ranking',
  groups: 'Groups',
  highlights: 'Marking words',
  explain: 'Explaining scores',
  facets: 'Counting facets',
  answer: 'Writing the answer',
};

function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** The server's time, and what it was spent on. */
export function StepTimes({ timeMs, timings }: { timeMs: number; timings: StepTime[] }) {
  const longest = Math.max(...timings.map(({ ms }) => ms), Number.MIN_VALUE);
  return (
    <Popover position="bottom-start" shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton
          className={classes['time'] ?? ''}
          aria-label={`Took ${formatMs(timeMs)}: time for each step`}
        >
          {formatMs(timeMs)}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        {/* It holds the focus, so that Escape closes it. */}
        <table className={classes['steps']} tabIndex={-1} data-autofocus>
          <caption>Time for each step</caption>
          <tbody>
            {timings.map(({ step, ms }) => (
              <tr key={step}>
                <th scope="row">{names[step]}</th>
                <td aria-hidden="true">
                  <span
                    className={classes['bar']}
                    style={{ width: `${Math.max(2, (ms / longest) * 100)}%` }}
                  />
                </td>
                <td>{ms.toFixed(2)} ms</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Together</th>
              <td />
              <td>{timeMs.toFixed(2)} ms</td>
            </tr>
          </tfoot>
        </table>
      </Popover.Dropdown>
    </Popover>
  );
}
