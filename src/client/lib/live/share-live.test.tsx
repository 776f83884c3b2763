import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { shareLive } from './share-live.ts';

const opened: string[] = [];
/** Those that wait for the lock, in their order. */
let waiting: (() => Promise<void>)[] = [];

beforeEach(() => {
  opened.length = 0;
  waiting = [];
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      constructor(url: string) {
        super();
        opened.push(url);
      }
      close(): void {}
    },
  );
  // The browser's locks, which are given when the test says so.
  const request = (_name: string, _options: object, hold: () => Promise<void>) =>
    new Promise<void>((resolve) => {
      waiting.push(() => {
        resolve();
        return hold();
      });
    });
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true });
});

afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks');
  vi.unstubAllGlobals();
});

it('a tab that came while no tab had the stream is told what it misses by the next that has it', async () => {
  const tab = (position: string) => shareLive({ position: () => position, onMessage: () => {} });
  const leave = [tab('of the second')];
  // Its hello is heard by nobody: the tab that had the stream has gone.
  leave.push(tab('of the third'));
  void waiting[0]?.();
  await expect.poll(() => opened.at(-1)).toBe('/api/live?after=of+the+second&after=of+the+third');
  for (const each of leave) each();
});

it('tabs that stand where the stream stands need no new one', async () => {
  const heard: string[] = [];
  const channel = new BroadcastChannel('live');
  channel.onmessage = ({ data }) => void heard.push(data.kind);
  const tab = () => shareLive({ position: () => 'same', onMessage: () => {} });
  const leave = [tab(), tab()];
  void waiting[0]?.();
  // Each says hello when it comes, and the second again when it is asked.
  await expect.poll(() => heard).toEqual(['hello', 'hello', 'whence', 'hello']);
  expect(opened).toEqual(['/api/live?after=same']);
  for (const each of leave) each();
  channel.close();
});
