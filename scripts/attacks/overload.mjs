/**
 * Ten times as many searches as can be done, asked at a fixed rate for twenty seconds: most of what can be done is done, what is let in hardly waits, memory is
 * bounded, and all is as before soon after. The median of three runs of `measure-overload.mjs`, and of three whose connections are open before, by the clock: for a machine without other work.
 *
 *   DATASETS_DIR=… node scripts/attacks/overload.mjs
 */
import { figuresOfRuns, median } from './measured.mjs';
import { judge, judgeAtMost } from './verdict.mjs';

const runs = figuresOfRuns('measure-overload.mjs', 3);
const goodput = median(runs.map(({ goodputShare }) => goodputShare));
judge('done of what can be done', {
  expected: '80 % at least',
  found: `${Math.round(goodput * 100)} %`,
  isFine: goodput >= 0.8,
});
// Half a second in, the burst that any account may have is done.
const afterBurst = median(runs.map((run) => run.admittedAfterBurstP99ToIdle));
judgeAtMost(
  'p99 of what is let in after half a second, by that of one search after the other',
  3,
  afterBurst,
  '×',
);
const ofAll = median(runs.map((run) => run.admittedP99ToIdle));
judgeAtMost(
  'the same with the first half second, in which hundreds of connections are opened',
  5,
  ofAll,
  '×',
);
const connected = figuresOfRuns('measure-overload.mjs', 3, ['--connected']);
judgeAtMost(
  'the same where the connections are open before',
  3,
  median(connected.map((run) => run.admittedP99ToIdle)),
  '×',
);
judgeAtMost(
  'as before after',
  5_000,
  median(runs.map((run) => run.backAfterMs ?? Number.POSITIVE_INFINITY)),
  'ms',
);
judgeAtMost('memory beyond rest', 250, median(runs.map(({ memoryMB: { rest, peak } }) => peak - rest)), 'MB');
