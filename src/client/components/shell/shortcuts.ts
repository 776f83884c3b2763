import type { NavigationItem } from './use-navigation.ts';

type Command =
  | { kind: 'palette' | 'search' | 'help' | 'notifications' | 'hits' }
  | { kind: 'page'; to: NavigationItem['to'] };

export interface Shortcut {
  /** Pressed together where the first is Mod, which is Ctrl or, on a Mac, ⌘; else one after the other. */
  keys: readonly string[];
  label: string;
  command: Command;
}

/** Every key that does something anywhere in the console. The handler and the help read this one table. */
export function shortcutsOf(pages: NavigationItem[]): Shortcut[] {
  const general: Shortcut[] = [
    { keys: ['Mod', 'K'], label: 'Search pages, actions and documents', command: { kind: 'palette' } },
    { keys: ['/'], label: 'Go to the search box of the page', command: { kind: 'search' } },
    { keys: ['?'], label: 'Show the keyboard shortcuts', command: { kind: 'help' } },
    // The toaster listens for it itself, also while a dialog is open.
    { keys: ['F8'], label: 'Go to the notifications', command: { kind: 'notifications' } },
  ];
  // The search page listens for them itself.
  const hits: Shortcut[] = [
    { keys: ['J'], label: 'Next hit of a search', command: { kind: 'hits' } },
    { keys: ['K'], label: 'Hit before it', command: { kind: 'hits' } },
    { keys: ['E'], label: 'What the score of a hit is made of', command: { kind: 'hits' } },
  ];
  const places = pages.flatMap(({ letter, label, to }): Shortcut[] =>
    letter ? [{ keys: ['G', letter], label: `Go to ${label}`, command: { kind: 'page', to } }] : [],
  );
  return [...general, ...hits, ...places];
}

/** How long the second key of two may take. */
const secondKeyMs = 1_500;

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'timeStamp'>;

/** Reads keys as they are pressed; the function answers the shortcut that a key completes. */
export function shortcutReader(): (pressed: Pressed, shortcuts: Shortcut[]) => Shortcut | undefined {
  let first: { key: string; timeStamp: number } | null = null;
  return (pressed, shortcuts) => {
    const key = pressed.key.length === 1 ? pressed.key.toUpperCase() : pressed.key;
    const begun = first && pressed.timeStamp - first.timeStamp < secondKeyMs ? first.key : null;
    first = null;
    if (pressed.altKey) return undefined;
    const isMod = pressed.ctrlKey || pressed.metaKey;
    const typed = isMod ? ['Mod', key] : begun ? [begun, key] : [key];
    const found = shortcuts.find(({ keys }) => keys.join(' ') === typed.join(' '));
    const isBeginning = shortcuts.some(({ keys }) => keys.length === 2 && keys[0] === key);
    if (!found && !isMod && isBeginning) first = { key, timeStamp: pressed.timeStamp };
    return found;
  };
}
