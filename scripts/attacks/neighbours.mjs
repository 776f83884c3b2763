/**
 * One tenant's imports, dear filters and pipelined searches, and anonymous searches of the demo, beside another tenant's searches: these take at most twice as long as
 * without, at p99. The median of three runs of `measure-fairness.mjs`, by the clock: for a machine without other work.
 *
 *   DATASETS_DIR=… node scripts/attacks/neighbours.mjs
 */
import { figuresOfRuns, median } from './measured.mjs';
import { judge, judgeAtMost } from './verdict.mjs';

const runs = figuresOfRuns('measure-fairness.mjs', 3, ['--seconds', '8']);
for (const load of Object.keys(runs[0])) {
  const slower = median(runs.map((run) => run[load].beside.p99 / run[load].alone.p99));
  judgeAtMost(`beside ${load}: p99`, 2, Math.round(slower * 10) / 10, '× alone');
  const turnedAway = runs.reduce((sum, run) => sum + run[load].beside.turnedAway, 0);
  judge(`beside ${load}: searches turned away`, { expected: 0, found: turnedAway, isFine: turnedAway === 0 });
}
