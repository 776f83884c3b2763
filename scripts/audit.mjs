// `npm run audit`: known weaknesses of the installed packages, as the configured registry tells them. 0: none, 1: some, 3: the registry tells none.
import { spawnSync } from 'node:child_process';

const noAnswer = 3;

function audit() {
  const { stdout, stderr, error } = spawnSync('npm', ['audit', '--json'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) return unanswered(error.message);
  let report;
  try {
    report = JSON.parse(stdout);
  } catch {
    return unanswered(stderr.trim() || 'npm printed no report');
  }
  const counts = report.metadata?.vulnerabilities;
  if (counts === undefined) return unanswered(report.error?.summary || report.message || stderr.trim());
  for (const { name, severity, range, via } of Object.values(report.vulnerabilities)) {
    const reasons = via.map((cause) =>
      typeof cause === 'string' ? `by ${cause}` : `${cause.title} ${cause.url}`,
    );
    process.stdout.write(`${severity}: ${name} ${range}\n  ${reasons.join('\n  ')}\n`);
  }
  process.stdout.write(
    `${counts.total} known weaknesses in ${report.metadata.dependencies?.total ?? 'the'} packages\n`,
  );
  return counts.total === 0 ? 0 : 1;
}

function unanswered(reason) {
  process.stderr.write(
    `The registry tells no weaknesses, so nothing is known of them: ${reason || 'no reason given'}\n`,
  );
  return noAnswer;
}

process.exitCode = audit();
