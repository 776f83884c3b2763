import type { Override } from '#shared/overrides.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import {
  type SearchSettings,
  type SettingName,
  type ShownSettings,
  settingNames,
} from '#shared/search-settings.ts';
import type { Synonym } from '#shared/synonyms.ts';

/** A synonym as it is written: one word or phrase a line. */
export interface SynonymEdit {
  /** As it was saved; null: a new one. */
  saved: Synonym | null;
  id: string;
  words: string;
  /** The word that finds the others; null: each finds all. */
  root: string | null;
}

/** An override as it is written. */
export interface OverrideEdit {
  /** As it was saved; null: a new one. */
  saved: Override | null;
  override: Override;
}

/** Settings that differ from the saved ones; null: not set any more. */
export type SettingChanges = { [Name in SettingName]?: ShownSettings[Name] };

/** What is changed and not saved. It is tried together, and saved part by part. */
export interface TuningDraft {
  settings: SettingChanges;
  synonym: SynonymEdit | null;
  override: OverrideEdit | null;
}

export const emptyDraft: TuningDraft = { settings: {}, synonym: null, override: null };

/** The words of a synonym without empty lines and repetitions. */
export function wordsOf({ words }: Pick<SynonymEdit, 'words'>): string[] {
  const lines = words.split(/[\n,]/).map((line) => line.trim());
  return [...new Set(lines.filter((line) => line !== ''))];
}

/** As it would be saved; null while there is too little of it. */
export function toSynonym(edit: SynonymEdit): Synonym | null {
  const synonyms = wordsOf(edit);
  const root = edit.root === null ? null : edit.root.trim();
  if (synonyms.length === 0 || root === '' || (root === null && synonyms.length < 2)) return null;
  return { id: edit.id, synonyms, root };
}

/** An empty text is none, an empty list too; the name may be that of the query while it has none. Null while the rule has no query. */
export function toOverride({ saved, override }: OverrideEdit): Override | null {
  const query = override.rule.query.trim();
  if (query === '') return null;
  const { filter_by, sort_by, replace_query, includes, excludes, from, until, ...rest } = override;
  const text = (value: string | undefined) =>
    value === undefined || value.trim() === '' ? undefined : value.trim();
  const list = <Item>(items: Item[] | undefined) => (items && items.length > 0 ? items : undefined);
  const parts = {
    filter_by: text(filter_by),
    sort_by: text(sort_by),
    replace_query: text(replace_query),
    from: text(from),
    until: text(until),
    includes: list(includes),
    excludes: list(excludes),
  };
  const given = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  const id = saved?.id ?? (rest.id.trim() || query);
  return { ...rest, id, rule: { ...rest.rule, query }, ...given };
}

/** The settings as they would be saved: those alone that are set. */
export function settingsWith(saved: ShownSettings, changes: SettingChanges): SearchSettings {
  const all = settingNames.map((name) => [name, { ...saved, ...changes }[name]] as const);
  return Object.fromEntries(all.filter(([, value]) => value !== null && value !== undefined));
}

/** One more change; a setting that is again as it was saved is none. */
export function withSetting<Name extends SettingName>(
  changes: SettingChanges,
  saved: ShownSettings,
  { name, value }: { name: Name; value: ShownSettings[Name] },
): SettingChanges {
  const { [name]: _, ...others } = changes;
  return isSame(saved[name], value) ? others : { ...others, [name]: value };
}

/** Which parts have changes that are not saved. */
export function changedParts({ settings, synonym, override }: TuningDraft) {
  return {
    settings: Object.keys(settings).length > 0,
    synonyms: synonym !== null && isChangedSynonym(synonym),
    overrides: override !== null && !isSame(toOverride(override), override.saved),
  };
}

function isChangedSynonym(edit: SynonymEdit): boolean {
  const now = { synonyms: wordsOf(edit), root: edit.root === null ? null : edit.root.trim() };
  const { synonyms, root } = edit.saved ?? { synonyms: [], root: edit.root === null ? null : '' };
  return !isSame(now, { synonyms, root });
}

/** What a search is asked to be answered with; null: nothing differs from what is saved. */
export function toRuleDraft(draft: TuningDraft, saved: ShownSettings | undefined): RuleDraft | null {
  const changed = changedParts(draft);
  const synonym = changed.synonyms && draft.synonym ? toSynonym(draft.synonym) : null;
  const override = changed.overrides && draft.override ? toOverride(draft.override) : null;
  const settings = changed.settings && saved ? settingsWith(saved, draft.settings) : null;
  if (!synonym && !override && !settings) return null;
  return {
    ...(settings && { settings }),
    ...(synonym && { synonyms: { put: [synonym], remove: [] } }),
    ...(override && { overrides: { put: [override], remove: [] } }),
  };
}

/** Of JSON, whatever the order of names. */
function isSame(a: unknown, b: unknown): boolean {
  return stable(a) === stable(b);
}

function stable(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
