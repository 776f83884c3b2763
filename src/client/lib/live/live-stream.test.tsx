import { afterEach, expect, it, vi } from 'vitest';
import { type LiveMessage, openLiveStream } from './live-stream.ts';

afterEach(() => vi.unstubAllGlobals());

/** The network's other end. */
function stubSources() {
  const opened: (EventTarget & { url: string })[] = [];
  class Source extends EventTarget {
    readonly url: string;
    constructor(url: string) {
      super();
      this.url = url;
      opened.push(this);
    }
    close(): void {}
  }
  vi.stubGlobal('EventSource', Source);
  const after = () => new URL(opened.at(-1)?.url ?? '', 'http://console.test').searchParams.getAll('after');
  const tell = (kind: string, lastEventId: string) =>
    opened.at(-1)?.dispatchEvent(new MessageEvent(kind, { data: '{}', lastEventId }));
  return { after, tell };
}

function openStream(position: string | null) {
  const messages: LiveMessage[] = [];
  const stream = openLiveStream({ position: () => position, onMessage: (message) => messages.push(message) });
  return { stream, messages };
}

it('another tab that goes on from a newer position takes nothing away from this one', () => {
  const { after, tell } = stubSources();
  const { stream } = openStream('own');
  expect(after()).toEqual(['own']);
  stream.goBack('newer');
  stream.goBack('of a third tab');
  expect(after()).toEqual(['own', 'newer', 'of a third tab']);
  tell('ready', 'own');
  stream.goBack('of a fourth tab');
  expect(after()).toEqual(['own', 'of a fourth tab']);
  stream.close();
});

it('more positions than the server takes are told as one that it does not know, which makes everything new', () => {
  const { after, tell } = stubSources();
  const { stream, messages } = openStream('own');
  for (let tab = 1; tab <= 10; tab += 1) stream.goBack(`of tab ${tab}`);
  expect(after()).toEqual(['unknown']);
  tell('reset', 'now');
  expect(messages).toEqual([{ kind: 'reset', position: 'now' }]);
  stream.close();
});

it('without a position it begins now', () => {
  const { after } = stubSources();
  openStream(null).stream.close();
  expect(after()).toEqual([]);
});
