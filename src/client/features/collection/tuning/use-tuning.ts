import { useState } from 'react';
import { trpc } from '#client/lib/trpc.ts';
import type { SettingName, ShownSettings } from '#shared/search-settings.ts';
import {
  changedParts,
  emptyDraft,
  type OverrideEdit,
  type SettingChanges,
  type SynonymEdit,
  type TuningDraft,
  withSetting,
} from './tuning-draft.ts';

export interface Tuning {
  draft: TuningDraft;
  /** Which parts have changes that are not saved. */
  changed: ReturnType<typeof changedParts>;
  /** As they are saved. */
  settings: ShownSettings | undefined;
  error: unknown;
  refetch: () => unknown;
  setSetting: <Name extends SettingName>(name: Name, value: ShownSettings[Name]) => void;
  setSettings: (changes: SettingChanges) => void;
  setSynonym: (edit: SynonymEdit | null) => void;
  setOverride: (edit: OverrideEdit | null) => void;
  discard: () => void;
}

/** What is changed in the tab and not saved, whichever part of it is shown. */
export function useTuning(collection: number): Tuning {
  const saved = trpc.searchSettings.get.useQuery({ collection });
  const [draft, setDraft] = useState(emptyDraft);
  const set = (change: Partial<TuningDraft>) => setDraft((previous) => ({ ...previous, ...change }));
  return {
    draft,
    changed: changedParts(draft),
    settings: saved.data,
    error: saved.error,
    refetch: saved.refetch,
    setSetting: (name, value) => {
      const { data } = saved;
      if (data)
        setDraft((previous) => ({
          ...previous,
          settings: withSetting(previous.settings, data, { name, value }),
        }));
    },
    setSettings: (settings) => set({ settings }),
    setSynonym: (synonym) => set({ synonym }),
    setOverride: (override) => set({ override }),
    discard: () => setDraft(emptyDraft),
  };
}
