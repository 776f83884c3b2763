import { isRecord, parseJson } from '#client/lib/json.ts';
import type { ImportFault, ImportResult } from '#shared/documents.ts';
import { ArrayScanner } from './array-scanner.ts';
import { RepeatCounter, type Repeats } from './repeats.ts';

/** What of an import's answer is kept: of its results those that failed, up to so many. */
export interface ImportOutcome {
  succeeded: number;
  failed: number;
  faults: ImportFault[];
  failures: ImportResult[];
  /** Null: there are too many rows to count them by their ids. */
  repeats: Repeats | null;
}

/** Further ones are counted, and told by their cause. */
const failuresKeptMax = 10_000;
/** Some 250,000 rows. */
const countedBytesMax = 16 * 1024 * 1024;
const headBytes = 512 * 1024;
const resultsBegin = '"results":[';

/**
 * Reads the answer piece by piece, since it has a result for each row of the file. Null: it is no summary but an error.
 */
export async function readSummary(answer: Blob): Promise<ImportOutcome | null> {
  const head = await answer.slice(0, headBytes).text();
  const start = head.indexOf(resultsBegin);
  if (start === -1) return null;
  const summary = parseJson(`${head.slice(0, start)}"results":[]}`);
  if (!isRecord(summary) || typeof summary['succeeded'] !== 'number') return null;
  const { succeeded, failed, faults } = summary as unknown as ImportOutcome;
  const failures: ImportResult[] = [];
  const isCounted = answer.size <= countedBytesMax;
  const counter = new RepeatCounter();
  if (failed > 0 || isCounted) {
    const scanner = new ArrayScanner({
      wants: () => isCounted || failures.length < failuresKeptMax,
      onElement: (text) => {
        if (!isCounted && !text.includes('"success":false')) return;
        const result = parseJson(text) as ImportResult | null;
        if (result?.success) counter.add(result.id);
        else if (result && failures.length < failuresKeptMax) failures.push(result);
      },
    });
    const before = new TextEncoder().encode(head.slice(0, start + resultsBegin.length)).length;
    const reader = answer.slice(before).stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) scanner.push(next.value);
  }
  return { succeeded, failed, faults, failures, repeats: isCounted ? counter.of(succeeded) : null };
}
