import type { FormsOf } from '#client/components/shell/dialogs-provider.tsx';
import { ShortcutsHelp } from './shortcuts-help.tsx';

interface PaletteDialogs {
  shortcuts: object;
}

declare module '#client/components/shell/dialogs-provider.tsx' {
  interface Dialogs extends PaletteDialogs {}
}

export const dialogs: FormsOf<PaletteDialogs> = {
  shortcuts: { title: 'Keyboard shortcuts', Form: ShortcutsHelp },
};
