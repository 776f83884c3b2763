import { isOnline } from './is-online.ts';

/**
 * Toasts, one at a time: `toast({ title: 'Project created', description: name })`.
 *
 * `kind: 'error'` for failures; `toastError` has the title that most of them bear. `action` adds a button: such a toast stays
 * 10 s and is not displaced; what comes meanwhile waits for its turn.
 */
export interface ToastContent {
  title: string;
  description?: string;
  kind?: 'default' | 'error';
  action?: {
    label: string;
    /** The same in words for a screen reader. */
    altText: string;
    onClick: () => void;
  };
}

export interface Toast extends ToastContent {
  id: number;
  open: boolean;
}

/** One that was shown, for whoever looked elsewhere. */
export interface PastToast extends Pick<Toast, 'id' | 'title' | 'description' | 'kind'> {
  atMs: number;
}

const pastToastsMax = 20;

/** A dismissed toast is forgotten so long afterwards. */
const forgottenAfterMs = 1_000_000;

let nextId = 1;
let current: Toast | null = null;
let waiting: ToastContent[] = [];
let past: PastToast[] = [];
const listeners = new Set<() => void>();

export function toast(content: ToastContent): void {
  if (current?.open && current.action) {
    // Only the newest plain message is worth the wait; an action is never dropped.
    const kept = content.action ? waiting : waiting.filter((earlier) => earlier.action);
    waiting = [...kept, content];
    return;
  }
  show(content);
}

/** A failure in the product's words: 'Failed to create project. Please try again.' Offline the reason comes first. */
export function toastError(description: string): void {
  const why = isOnline() ? '' : 'You are offline, so nothing was sent. ';
  toast({ title: 'Error', description: `${why}${description}`, kind: 'error' });
}

/** Closes the toast on screen and shows the next one. */
export function dismissToast(id: number): void {
  if (current?.id !== id || !current.open) return;
  const [next, ...rest] = waiting;
  waiting = rest;
  if (next) show(next);
  else {
    publish({ ...current, open: false });
    setTimeout(() => {
      if (current?.id === id) publish(null);
    }, forgottenAfterMs);
  }
}

/** Forgets what is shown and what waits. */
export function clearToasts(): void {
  waiting = [];
  past = [];
  publish(null);
}

export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToast(): Toast | null {
  return current;
}

/** The newest first. */
export function pastToasts(): PastToast[] {
  return past;
}

function show(content: ToastContent): void {
  const id = nextId++;
  const { action: _, ...words } = content;
  past = [{ ...words, id, atMs: Date.now() }, ...past].slice(0, pastToastsMax);
  publish({ ...content, id, open: true });
}

function publish(next: Toast | null): void {
  current = next;
  for (const listener of listeners) listener();
}
