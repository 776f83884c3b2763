import { type ComponentType, createContext, type ReactNode, use, useMemo, useState } from 'react';

/**
 * The dialogs that any page can open, by name, with what they are given: `useDialogs().open('edit-project', { project })`.
 * A feature adds its own in the `dialogs.ts` of its folder; the `_console` route finds and mounts them.
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface Dialogs {}

export type DialogName = keyof Dialogs;

/** What names stand for. A `Form` is there from the opening to the end of fading out. */
export type FormsOf<Names> = {
  [Name in keyof Names]: {
    title: string;
    size?: 'lg' | 'xl';
    Form: ComponentType<Names[Name] & DialogContentProps>;
  };
};

export interface DialogContentProps {
  onClose: () => void;
}

/** One that is open; `key` differs from one opening to the next. */
export type OpenDialog<Name extends DialogName = DialogName> = {
  [Each in Name]: { name: Each; given: Dialogs[Each]; key: number };
}[Name];

export interface DialogsControl {
  opened: OpenDialog | null;
  open<Name extends DialogName>(
    name: Name,
    ...given: object extends Dialogs[Name] ? [Dialogs[Name]?] : [Dialogs[Name]]
  ): void;
  close(): void;
}

const DialogsContext = createContext<DialogsControl | null>(null);

export function useDialogs(): DialogsControl {
  const control = use(DialogsContext);
  if (!control) throw new Error('useDialogs must be used within a DialogsProvider');
  return control;
}

export function DialogsProvider({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const [control] = useState(() => {
    let openings = 0;
    return {
      open: (name: DialogName, given: object = {}) =>
        setOpened({ name, given, key: ++openings } as OpenDialog),
      close: () => setOpened(null),
    };
  });
  const value = useMemo((): DialogsControl => ({ opened, ...control }), [opened, control]);
  return <DialogsContext value={value}>{children}</DialogsContext>;
}
