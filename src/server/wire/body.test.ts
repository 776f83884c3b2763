import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bodyChunks } from './body.ts';

/** How long a sender may take; the time is a test's own. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const second = 1_000;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** A body whose sender does what it is told. */
function upload() {
  const sender: { controller?: ReadableStreamDefaultController<Uint8Array>; isCutOff: boolean } = {
    isCutOff: false,
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      sender.controller = controller;
    },
    cancel() {
      sender.isCutOff = true;
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  return {
    request: new Request('http://localhost/', init),
    send: (bytes = 1) => sender.controller?.enqueue(new Uint8Array(bytes).fill(1)),
    end: () => sender.controller?.close(),
    hangUp: () => sender.controller?.error(new Error('the socket is gone')),
    isCutOff: () => sender.isCutOff,
  };
}

/** How many bytes came. */
async function read(chunks: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.byteLength;
  return bytes;
}

const minimum = { stallMs: 60 * second, bytesPerSecond: 1_000 };

test.each([
  ['a byte a second', 1, 61],
  ['half of what is wanted', 500, 119],
])('a sender that dribbles is cut off: %s', async (_, bytes, seconds) => {
  const { request, send, isCutOff } = upload();
  const reading = expect(read(bodyChunks(request, minimum))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Fewer than 1000 bytes a second of the body arrived within 60 s',
  });
  for (let passed = 1; passed < seconds; passed += 1) {
    expect(isCutOff()).toBe(false);
    await pass(second);
    send(bytes);
  }
  await pass(second);
  await reading;
  expect(isCutOff()).toBe(true);
});

test('a sender that is silent for so long is cut off, however much it has sent before', async () => {
  const { request, send, isCutOff } = upload();
  const reading = expect(read(bodyChunks(request, minimum))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Nothing more of the body arrived within 60 s',
  });
  for (let i = 0; i < 10; i += 1) {
    await pass(59 * second);
    send(59_000);
  }
  await pass(59 * second);
  expect(isCutOff()).toBe(false);
  await pass(second);
  await reading;
  expect(isCutOff()).toBe(true);
});

test('a whole body has its time, however often a little of it comes', async () => {
  const { request, send, isCutOff } = upload();
  const reading = expect(read(bodyChunks(request, { totalMs: 60 * second }))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The body did not arrive whole within 60 s',
  });
  for (let i = 0; i < 59; i += 1) {
    await pass(second);
    send();
  }
  expect(isCutOff()).toBe(false);
  await pass(second);
  await reading;
  expect(isCutOff()).toBe(true);
});

test('what the reader does in between does not count', async () => {
  const { request, send, end } = upload();
  const chunks = bodyChunks(request, { totalMs: 60 * second });
  for (let i = 0; i < 3; i += 1) {
    send();
    expect((await chunks.next()).value).toEqual(Uint8Array.of(1));
    await pass(3_600 * second);
  }
  end();
  expect((await chunks.next()).done).toBe(true);
});

test('a sender that hangs up is told apart from one that has ended', async () => {
  const whole = upload();
  whole.send();
  whole.end();
  expect(await read(bodyChunks(whole.request, { totalMs: second }))).toBe(1);
  const { request, send, hangUp } = upload();
  send();
  const reading = expect(read(bodyChunks(request, { totalMs: second }))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The body was cut off before its end',
  });
  hangUp();
  await reading;
});

test('a reader that has enough lets the sender go', async () => {
  const { request, send, isCutOff } = upload();
  send();
  for await (const _ of bodyChunks(request, minimum)) break;
  expect(isCutOff()).toBe(true);
  expect(await read(bodyChunks(new Request('http://localhost/'), { totalMs: second }))).toBe(0);
});
