import type { SearchSchemaInput } from '@tanstack/react-router';
import { listPageMax } from '#client/lib/page-of.ts';
import { choiceParam, wholeParam } from '#client/lib/search-params.ts';
import { type AuditState, auditDefaults, auditState } from './audit/audit-state.ts';

/** The page's tabs, by their name in the address, in the order of their row. */
export const settingsTabs = ['profile', 'security', 'workspace', 'members', 'audit', 'data'] as const;
export type SettingsTab = (typeof settingsTabs)[number];

/** The page's address: its tab, and what that tab shows. */
export interface SettingsState extends AuditState {
  tab: SettingsTab;
  /** Of the tab's list. */
  page: number;
}

export const settingsDefaults = {
  tab: settingsTabs[0],
  page: 1,
  ...auditDefaults,
} as const satisfies SettingsState;

/** What cannot be read falls back. */
export function settingsState(search: Partial<SettingsState> & SearchSchemaInput): SettingsState {
  return {
    tab: choiceParam(search.tab, settingsTabs, settingsDefaults.tab),
    page: wholeParam(search.page, { min: 1, max: listPageMax, fallback: 1 }),
    ...auditState(search),
  };
}

/** Typing replaces, everything else can be gone back from. */
export type ChangeSettings = (change: Partial<SettingsState>, options?: { replace?: boolean }) => void;

/** What each tab is given. */
export interface SettingsTabProps {
  state: SettingsState;
  onChange: ChangeSettings;
}
