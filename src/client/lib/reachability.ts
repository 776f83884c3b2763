import { isUnreachable } from './error-message.ts';
import { isOnline } from './is-online.ts';

/**
 * Whether the server answers. What notices that it does not calls `noteFailure`; from then on it is asked, less and less often, until it
 * does, and `onReturn` hears of it. The browser's own word counts too: without a network nothing is asked.
 */
export type Reachability = 'reachable' | 'offline' | 'unreachable';

const waitsMs = [1_000, 2_000, 4_000, 8_000, 15_000];
const answerMsMax = 10_000;

let isAnswering = true;
let attempts = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();
const returns = new Set<() => void>();

export function reachability(): Reachability {
  if (!isOnline()) return 'offline';
  return isAnswering ? 'reachable' : 'unreachable';
}

export function subscribeToReachability(listener: () => void): () => void {
  if (listeners.size === 0) {
    window.addEventListener('online', onOnline);
    window.addEventListener('offline', publish);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('online', onOnline);
    window.removeEventListener('offline', publish);
  };
}

/** Called whenever the server answers again, or the network is back. */
export function onReturn(listener: () => void): () => void {
  returns.add(listener);
  return () => returns.delete(listener);
}

/** Any error; those that are answers of the server are none of this module's. */
export function noteFailure(error: unknown): void {
  if (!isUnreachable(error) || !isAnswering || !isOnline()) return;
  isAnswering = false;
  attempts = 0;
  askLater();
  publish();
}

/** Now, instead of when it would be asked by itself. */
export async function askServer(): Promise<void> {
  clearTimeout(timer);
  const limit = new AbortController();
  // A connection that hangs would be waited for as long as the browser likes, and nobody would ask again.
  const limitTimer = setTimeout(() => limit.abort(), answerMsMax);
  const answer = await fetch('/health', { cache: 'no-store', signal: limit.signal }).catch(() => null);
  clearTimeout(limitTimer);
  // A proxy in front of a server that is away answers too.
  if (!answer?.ok) return askLater();
  comeBack();
}

/** Whatever was asked for has been answered: nobody has to ask any more. */
export function noteAnswer(): void {
  if (isAnswering) return;
  clearTimeout(timer);
  comeBack();
}

function comeBack(): void {
  isAnswering = true;
  publish();
  for (const listener of returns) listener();
}

function askLater(): void {
  clearTimeout(timer);
  if (isOnline()) timer = setTimeout(askServer, waitsMs[Math.min(attempts, waitsMs.length - 1)]);
  attempts += 1;
}

function onOnline(): void {
  publish();
  void askServer();
}

function publish(): void {
  for (const listener of listeners) listener();
}
