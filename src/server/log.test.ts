import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function capture(level: Parameters<typeof createLog>[0] = 'debug') {
  const lines: string[] = [];
  const log = createLog(
    level,
    (line) => lines.push(line),
    () => new Date(0),
  );
  return { log, lines, text: () => lines.join('\n') };
}

test('one JSON object a line, with time, level, message and fields', () => {
  const { log, lines } = capture();
  log.with({ requestId: 'r1' }).info('served', { status: 200 });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: '1970-01-01T00:00:00.000Z', level: 'info', message: 'served', requestId: 'r1', status: 200 },
  ]);
});

test('levels below the set one are dropped', () => {
  const { log, lines } = capture('warn');
  log.info('quiet');
  log.warn('heard');
  expect(lines).toHaveLength(1);
});

const apiKey = 'vk_4f9QmZJ2vB7xLw8sTn3KpR_0aB1cD';

test.each([
  ['a field named like a secret', { password: 'hunter2hunter2', nested: { cookie: 'hunter2hunter2' } }],
  ['an API key in any text', { url: `/search?x=${apiKey}` }],
  [
    'an API key inside an error and its cause',
    { error: new Error(`bad ${apiKey}`, { cause: new Error(apiKey) }) },
  ],
  ['a link that sets a password', { path: `/reset-password/hunter2hunter2${'x'.repeat(29)}` }],
  ['a link that changes an email', { path: `/confirm-email/hunter2hunter2${'x'.repeat(29)}` }],
  ['a link that makes somebody a member', { path: `/invitations/hunter2hunter2${'x'.repeat(29)}` }],
  [
    "a search node's password",
    { message: 'cannot reach https://app:hunter2hunter2@search.example.com:9200/' },
  ],
  ["a database address's password", { error: new Error('cannot reach postgres://app:hunter2hunter2@db/x') }],
])('%s never reaches the log', (_case, fields) => {
  const { log, text } = capture();
  log.error('failed', fields);
  expect(text()).not.toContain('hunter2hunter2');
  expect(text()).not.toContain(apiKey);
  expect(text()).toContain('redacted');
});

test('an error keeps its name, message, stack and cause', () => {
  const { log, lines } = capture();
  log.error('failed', { error: new TypeError('outer', { cause: new Error('inner') }) });
  const entry = JSON.parse(lines[0] ?? '{}');
  expect(entry.error).toMatchObject({ name: 'TypeError', message: 'outer', cause: { message: 'inner' } });
  expect(entry.error.stack).toContain('log.test.ts');
});

test('the parameters of a failed statement never reach the log, whoever wraps its error', () => {
  const { log, lines, text } = capture();
  const failed = Object.assign(
    new Error('Failed query: insert into users values ($1)\nparams: $argon2id$secret\n    at me'),
    { query: 'insert into users values ($1)', params: ['$argon2id$secret\n    at me'] },
  );
  log.error('failed', { error: new Error(failed.message, { cause: failed }) });
  expect(text()).not.toContain('argon2id');
  expect(JSON.parse(lines[0] ?? '{}').error.cause.message).toBe(
    'Failed query: insert into users values ($1)',
  );
});

test('what JSON cannot hold does not break the log', () => {
  const { log, lines } = capture();
  const endless: Record<string, unknown> = {};
  endless['self'] = endless;
  log.info('odd', { endless, big: 10n, bytes: new Uint8Array(3) });
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({ big: '10', bytes: '[3 bytes]' });
});

test('a long text is cut, once what is secret has been taken out of it', () => {
  const { log, lines } = capture();
  const error = new Error('m'.repeat(10_000));
  error.stack = 's'.repeat(10_000);
  log.info('x'.repeat(10_000), { host: `${'h'.repeat(1_990)}${apiKey} ${'h'.repeat(9_000)}`, error });
  const [line] = lines.map((text) => JSON.parse(text) as { message: string; host: string; error: Error });
  expect(line?.message).toBe(`${'x'.repeat(2_000)}…`);
  expect(line?.host).toBe(`${'h'.repeat(1_990)}[redacted]…`);
  expect([line?.error.message.length, line?.error.stack?.length]).toEqual([2_001, 8_001]);
});
