import { expect, test } from 'vitest';
import type { Override } from '#shared/overrides.ts';
import { ruleDraft } from '#shared/search-preview.ts';
import type { ShownSettings } from '#shared/search-settings.ts';
import {
  changedParts,
  emptyDraft,
  type SynonymEdit,
  settingsWith,
  toOverride,
  toRuleDraft,
  toSynonym,
  withSetting,
} from './tuning-draft.ts';

const unset: ShownSettings = {
  query_by: null,
  query_by_weights: null,
  prefix: null,
  num_typos: null,
  split_join_tokens: null,
  drop_tokens_threshold: null,
  match: null,
  alpha: null,
  fusion: null,
  stop_words: null,
  enable_synonyms: null,
  enable_overrides: null,
  min_relevance: null,
  ranking: null,
  language: null,
  acting_language: 'en',
  detected_language: null,
  detected_documents: 0,
};
const saved: ShownSettings = { ...unset, num_typos: 1, ranking: { k1: 1.2, b: 0.5 } };
const edit = (words: string, root: string | null = null): SynonymEdit => ({
  saved: null,
  id: 's',
  words,
  root,
});

test('a setting that is again as it was saved is no change, and what is set to null is not saved', () => {
  const once = withSetting({}, saved, { name: 'num_typos', value: null });
  expect(once).toEqual({ num_typos: null });
  expect(settingsWith(saved, once)).toEqual({ ranking: { k1: 1.2, b: 0.5 } });
  expect(withSetting(once, saved, { name: 'num_typos', value: 1 })).toEqual({});
  expect(withSetting({}, saved, { name: 'ranking', value: { b: 0.5, k1: 1.2 } })).toEqual({});
});

test('words stand on lines or between commas, each once, and two of them are needed, or one and a root', () => {
  expect(toSynonym(edit(' robot \n\nmechanical man, robot'))).toEqual({
    id: 's',
    synonyms: ['robot', 'mechanical man'],
    root: null,
  });
  expect([toSynonym(edit('robot')), toSynonym(edit('robot', ' ')), toSynonym(edit('', 'robot'))]).toEqual([
    null,
    null,
    null,
  ]);
  expect(toSynonym(edit('android', ' robot '))).toEqual({ id: 's', synonyms: ['android'], root: 'robot' });
});

const override: Override = { id: '', rule: { query: ' tv ', match: 'exact' }, active: true };

test('an override is called by its query unless it has a name, and empty parts are none', () => {
  expect(toOverride({ saved: null, override: { ...override, filter_by: ' ', includes: [] } })).toEqual({
    id: 'tv',
    rule: { query: 'tv', match: 'exact' },
    active: true,
  });
  expect(
    toOverride({ saved: null, override: { ...override, rule: { query: ' ', match: 'exact' } } }),
  ).toBeNull();
  const kept = { ...override, id: 'old', rule: { query: 'tv', match: 'exact' as const } };
  expect(changedParts({ ...emptyDraft, override: { saved: kept, override: kept } }).overrides).toBe(false);
});

test('a draft is what has changed, as the server reads it; nothing where nothing has', () => {
  expect(toRuleDraft(emptyDraft, saved)).toBeNull();
  expect(toRuleDraft({ ...emptyDraft, synonym: edit('robot') }, saved)).toBeNull();
  const draft = toRuleDraft(
    { settings: { alpha: 0.7 }, synonym: edit('tv,radio'), override: { saved: null, override } },
    saved,
  );
  expect(ruleDraft.parse(draft)).toEqual(draft);
  expect(draft).toMatchObject({
    settings: { alpha: 0.7, num_typos: 1 },
    synonyms: { put: [{ id: 's' }] },
    overrides: { put: [{ id: 'tv' }] },
  });
});
