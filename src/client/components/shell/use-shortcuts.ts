import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useDialogs } from './dialogs-provider.tsx';
import { hasOverlay } from './has-overlay.ts';
import { type Shortcut, shortcutReader, shortcutsOf } from './shortcuts.ts';
import { takesText } from './takes-text.ts';
import { useNavigation } from './use-navigation.ts';

/** The console's keys. Inside a field they are what is typed, all but the palette's, which types nothing. */
export function useShortcuts(openPalette: () => void): void {
  const pages = useNavigation();
  const { open } = useDialogs();
  const navigate = useNavigate();
  const shortcuts = useMemo(() => shortcutsOf(pages), [pages]);
  // The first key of two is remembered, whatever the page shows anew between them.
  const [read] = useState(shortcutReader);
  useEffect(() => {
    const act = ({ command }: Shortcut) => {
      if (command.kind === 'palette') openPalette();
      if (command.kind === 'search') focusSearch() || openPalette();
      if (command.kind === 'help') open('shortcuts');
      if (command.kind === 'page') void navigate({ to: command.to });
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat || event.key === 'Shift') return;
      if (hasOverlay()) return;
      const found = read(event, shortcuts);
      // Those that somebody else listens for.
      if (!found || found.command.kind === 'notifications' || found.command.kind === 'hits') return;
      if (takesText(event.target) && found.keys[0] !== 'Mod') return;
      event.preventDefault();
      act(found);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [read, shortcuts, open, openPalette, navigate]);
}

/** False: the page has no search box. */
function focusSearch(): boolean {
  const box = document.querySelector<HTMLInputElement>(
    'main input[type="search"], main textarea[aria-keyshortcuts="/"]',
  );
  box?.focus();
  box?.select();
  return box !== null;
}
