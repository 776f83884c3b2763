import type { SettingName, ShownSettings } from '#shared/search-settings.ts';

import type { Tuning } from '../use-tuning.ts';

/** The settings with what is changed of them, for their rows. */
export interface SettingsView {
  saved: ShownSettings;
  value: <Name extends SettingName>(name: Name) => ShownSettings[Name];
  set: Tuning['setSetting'];
  /** What a row says of a setting beside its value. */
  row: (name: SettingName) => { isSet: boolean; isChanged: boolean; onReset: () => void };
}

export function settingsView(saved: ShownSettings, { draft, setSetting }: Tuning): SettingsView {
  const value: SettingsView['value'] = (name) => {
    const change = draft.settings[name];
    return change === undefined ? saved[name] : change;
  };
  const isChanged = (name: SettingName) => draft.settings[name] !== undefined;
  return {
    saved,
    value,
    set: setSetting,
    row: (name) => ({
      isSet: value(name) !== null,
      isChanged: isChanged(name) || (name === 'query_by' && isChanged('query_by_weights')),
      onReset: () => {
        setSetting(name, null);
        // Weights are of the fields that are chosen.
        if (name === 'query_by') setSetting('query_by_weights', null);
      },
    }),
  };
}
