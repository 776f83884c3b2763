import type { IconShape } from '../display/icon.tsx';
import { deviceDesktopIcon, moonIcon, sunIcon } from '../display/icon-shapes.gen.ts';

/** What a reader may choose. */
export const schemes = [
  { value: 'light', label: 'Light', icon: sunIcon },
  { value: 'dark', label: 'Dark', icon: moonIcon },
  { value: 'auto', label: 'System', icon: deviceDesktopIcon },
] as const satisfies { value: string; label: string; icon: IconShape }[];
