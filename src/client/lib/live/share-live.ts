import {
  type LiveBreak,
  type LiveEnd,
  type LiveMessage,
  type LiveStream,
  openLiveStream,
} from './live-stream.ts';

const name = 'live';

/** Between tabs: what the stream tells; from where a tab would hear; and the question from where, of a tab that has the stream from now on. */
type Said = LiveMessage | LiveBreak | LiveEnd | { kind: 'hello'; position: string } | { kind: 'whence' };

/**
 * One stream for all tabs of a browser: the tab that holds the lock has it and tells the others. When it closes, another takes its place and goes on
 * from where it has heard. Answers how to leave.
 */
export function shareLive(options: {
  position: () => string | null;
  onMessage: (message: LiveMessage) => void;
  onBreak?: () => void;
  onEnd?: () => void;
}): () => void {
  const channel = new BroadcastChannel(name);
  const left = new AbortController();
  let stream: LiveStream | null = null;
  const sayHello = () => {
    const position = options.position();
    if (position !== null) channel.postMessage({ kind: 'hello', position } satisfies Said);
  };
  channel.onmessage = ({ data: said }: MessageEvent<Said>) => {
    if (said.kind === 'hello') stream?.goBack(said.position);
    else if (said.kind === 'whence') sayHello();
    else if (said.kind === 'broken') options.onBreak?.();
    else if (said.kind === 'ended') options.onEnd?.();
    else options.onMessage(said);
  };
  sayHello();
  const hold = () => {
    stream = openLiveStream({
      position: options.position,
      onMessage(message) {
        options.onMessage(message);
        channel.postMessage(message satisfies Said);
      },
      onBreak() {
        options.onBreak?.();
        channel.postMessage({ kind: 'broken' } satisfies Said);
      },
      onEnd() {
        options.onEnd?.();
        channel.postMessage({ kind: 'ended' } satisfies Said);
      },
    });
    // Who has said hello while no tab had the stream was heard by nobody.
    channel.postMessage({ kind: 'whence' } satisfies Said);
    return new Promise<void>((resolve) => {
      const leave = () => {
        stream?.close();
        stream = null;
        resolve();
      };
      left.signal.addEventListener('abort', leave, { once: true });
      if (left.signal.aborted) leave();
    });
  };
  // Where there are no locks (plain HTTP from elsewhere) each tab has its own.
  const { locks }: { locks?: LockManager | null } = navigator;
  const turn = locks ? locks.request(name, { signal: left.signal }, hold) : hold();
  turn.catch((error: unknown) => {
    if (!left.signal.aborted) throw error;
  });
  return () => {
    left.abort();
    channel.close();
  };
}
