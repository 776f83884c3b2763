import { type LiveChange, type LiveEventKind, liveEvents, livePath } from '#shared/live.ts';
import { isRecord, parseJson } from '../json.ts';

/** What the stream tells; `position`: where the log stands behind it. */
export type LiveMessage =
  | { kind: 'change'; position: string; change: LiveChange }
  | { kind: 'reset' | 'ready'; position: string };

/** That the stream is broken, until it is ready again. */
export interface LiveBreak {
  kind: 'broken';
}

/** That the session is over, and the stream with it. */
export interface LiveEnd {
  kind: 'ended';
}

const waitsMs = [1_000, 2_000, 5_000, 10_000, 30_000];

export interface LiveStream {
  /** Has told what came behind a position too, be it older or newer, since somebody else goes on from there. */
  goBack(position: string): void;
  close(): void;
}

/**
 * Keeps a stream of changes open, and goes on behind the last position when it breaks, after the longer a while the more often it fails. The end of
 * the session ends it; a session that ended while it was broken is refused, which `onBreak` may ask about.
 */
export function openLiveStream(options: {
  /** Asked at each attempt; null: from now on. */
  position: () => string | null;
  onMessage: (message: LiveMessage) => void;
  onBreak?: () => void;
  /** The session is over. */
  onEnd?: () => void;
}): LiveStream {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  /** What others go on from; of positions nobody here knows which is older. */
  const others = new Set<string>();

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
    window.removeEventListener('online', connect);
  }
  function connect(): void {
    clearTimeout(timer);
    source?.close();
    const own = new EventSource(addressOf(new Set([options.position() ?? '', ...others])));
    source = own;
    for (const kind of liveEvents) own.addEventListener(kind, (event) => hear(kind, event));
    // By itself it would not come back from an answer that refuses it.
    own.addEventListener('error', () => {
      own.close();
      if (source !== own) return;
      options.onBreak?.();
      clearTimeout(timer);
      timer = setTimeout(connect, waitsMs[Math.min(failures, waitsMs.length - 1)]);
      failures += 1;
    });
  }
  function hear(kind: LiveEventKind, { data, lastEventId: position }: MessageEvent<string>): void {
    failures = 0;
    others.clear();
    const change = kind === 'change' ? parseJson(data) : null;
    if (kind === 'end') {
      close();
      options.onEnd?.();
    } else if (kind !== 'change') options.onMessage({ kind, position });
    else if (isChange(change)) options.onMessage({ kind, position, change });
  }

  window.addEventListener('online', connect);
  connect();
  return {
    close,
    goBack(position) {
      if (source === null || position === options.position()) return;
      others.add(position);
      connect();
    },
  };
}

/** A position that is none of the server's: all that is shown is asked for again. */
const unknownPosition = 'unknown';
/** As many as the server takes. */
const positionsMax = 10;

function addressOf(positions: Set<string>): string {
  const known = [...positions].filter((position) => position !== '');
  const told = known.length > positionsMax ? [unknownPosition] : known;
  const after = new URLSearchParams(told.map((position) => ['after', position]));
  return told.length === 0 ? livePath : `${livePath}?${after}`;
}

function isChange(value: unknown): value is LiveChange {
  return isRecord(value) && typeof value['noun'] === 'string' && typeof value['workspaceId'] === 'number';
}
