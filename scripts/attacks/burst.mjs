/** Many requests of one kind at once beside another tenant's searches, and what they may come to. */
import { createBystander, searchesBeside } from './bystander.mjs';
import { print } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const turnMsMost = 50;

/**
 * Answers `burst(what, count, sendOne)`, which sends so many at once and judges: each is answered with a status of `statuses`; no turn of the main
 * thread takes more than 50 ms of its processor time; memory stays within `moreMemoryMb` of what it was at first; all of another tenant's searches are answered.
 */
export async function createBurst(target, { statuses, moreMemoryMb }) {
  const bystander = await createBystander(target);
  const idleMb = target.memory().now;
  const fine = new Set(statuses);
  return async function burst(what, count, sendOne) {
    target.forgetPeak();
    await target.longestTurn();
    const searches = await searchesBeside(bystander, () =>
      Promise.all(Array.from({ length: count }, (_, i) => sendOne(i))),
    );
    const { processorMs, wallMs } = await target.longestTurn();
    const answers = searches.result;
    const slowestMs = Math.max(...answers.map(({ tookMs }) => tookMs));
    print(
      `${what}, ${count} at once: ${slowestMs} ms; another tenant waited ${searches.slowestMs} ms at most, ${searches.before.slowestMs} alone`,
    );
    judge(`${what}: the answers`, {
      expected: statuses.join(', '),
      found: tally(answers.map(({ status }) => status)),
      isFine: answers.every(({ status }) => fine.has(status)),
    });
    // By the clock where the system tells no thread's processor time.
    const turnMs = Number.isNaN(processorMs) ? wallMs : processorMs;
    judgeAtMost(`${what}: a turn of the main thread`, turnMsMost, turnMs, 'ms');
    judgeAtMost(`${what}: memory`, idleMb + moreMemoryMb, target.memory().peak, 'MB');
    judge(`${what}: another tenant's searches`, {
      expected: 'all 200',
      found: tally(searches.statuses),
      isFine: searches.statuses.every((status) => status === 200),
    });
    return answers;
  };
}
