import { type LiveChange, type LiveEventKind, liveEvents, livePath } from '#shared/live.ts';
import { isRecord, parseJson } from '../json.ts';

/** What the stream tells; `position`: where the log stands behind it. */
export type LiveMessage =
  | { kind: 'change'; position: string; change: LiveChange }
  | { kind: 'reset' | 'ready'; position: string };

const waitsMs = [1_000, 2_000, 5_000, 10_000, 30_000];

export interface LiveStream {
  /** Has told again what came behind a position, since somebody else goes on from there. */
  goBack(position: string): void;
  close(): void;
}

/**
 * Keeps a stream of changes open, and goes on behind the last position when it breaks, after the longer a while the more often it fails. The end of
 * the session ends it.
 */
export function openLiveStream(options: {
  /** Asked at each attempt; null: from now on. */
  position: () => string | null;
  onMessage: (message: LiveMessage) => void;
}): LiveStream {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let back: string | null = null;

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
    window.removeEventListener('online', connect);
  }
  function connect(): void {
    clearTimeout(timer);
    source?.close();
    const after = back ?? options.position();
    const own = new EventSource(after === null ? livePath : `${livePath}?after=${encodeURIComponent(after)}`);
    source = own;
    for (const kind of liveEvents) own.addEventListener(kind, (event) => hear(kind, event));
    // By itself it would not come back from an answer that refuses it.
    own.addEventListener('error', () => {
      own.close();
      if (source !== own) return;
      clearTimeout(timer);
      timer = setTimeout(connect, waitsMs[Math.min(failures, waitsMs.length - 1)]);
      failures += 1;
    });
  }
  function hear(kind: LiveEventKind, { data, lastEventId: position }: MessageEvent<string>): void {
    failures = 0;
    back = null;
    const change = kind === 'change' ? parseJson(data) : null;
    if (kind === 'end') close();
    else if (kind !== 'change') options.onMessage({ kind, position });
    else if (isChange(change)) options.onMessage({ kind, position, change });
  }

  window.addEventListener('online', connect);
  connect();
  return {
    close,
    goBack(position) {
      if (source === null) return;
      back = position;
      connect();
    },
  };
}

function isChange(value: unknown): value is LiveChange {
  return isRecord(value) && typeof value['noun'] === 'string' && typeof value['workspaceId'] === 'number';
}
