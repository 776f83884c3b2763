export type FailedTest = { file: string; name: string; message: string };
export type Outcome = {
  passed: number;
  failed: number;
  skipped: number;
  failures: FailedTest[];
  unsteady: FailedTest[];
};
export function readVitest(report: object): Outcome;
export function readPlaywright(report: object): Outcome;
export function afterSecondAttempt(first: Outcome, second: Partial<Outcome>): Outcome;
export function isCounterexample(test: FailedTest): boolean;
export function tellTest(test: FailedTest, root: string): string;
