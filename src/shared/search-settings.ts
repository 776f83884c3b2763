import { z } from 'zod';
import { collectionRef } from './collections.ts';
import { searchParameters } from './search-parameters.ts';

/** What texts and queries are read as where the settings say no language. */
export const defaultLanguage = 'en';

const languageNames = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const language = z
  .string()
  .regex(/^[a-z]{2}$/, 'must be two letters, as "en"')
  .refine((code) => languageNames.of(code) !== undefined, 'is no language of ISO 639-1, as "en" is one');

const { shape } = searchParameters;

/** How a collection is searched where a search does not say it. Null or absent: as if there were no settings. */
export const searchSettings = z.strictObject({
  query_by: shape.query_by.nullable(),
  query_by_weights: shape.query_by_weights.nullable(),
  prefix: shape.prefix.nullable(),
  num_typos: shape.num_typos.nullable(),
  split_join_tokens: shape.split_join_tokens.nullable(),
  drop_tokens_threshold: shape.drop_tokens_threshold.nullable(),
  match: shape.match.nullable(),
  alpha: shape.alpha.nullable(),
  fusion: shape.fusion.nullable(),
  stop_words: shape.stop_words.nullable(),
  enable_synonyms: shape.enable_synonyms.nullable(),
  enable_overrides: shape.enable_overrides.nullable(),
  min_relevance: shape.min_relevance.nullable(),
  ranking: shape.ranking.nullable(),
  /** ISO 639-1. */
  language: language.nullish(),
});
export type SearchSettings = z.output<typeof searchSettings>;

/** Told beside what is set. */
const readAs = z.strictObject({
  acting_language: language.describe('What texts and queries are read as'),
  detected_language: language
    .nullable()
    .describe('What the texts are in as far as they say it themselves; null: that is not known'),
  detected_documents: z.int().describe('Of how many documents it was read'),
});

/** What is answered may be sent back as it is. */
export const settingsUpdate = collectionRef.extend({ ...searchSettings.shape, ...readAs.partial().shape });

/** All of them, null where they are not set. */
export const shownSettings = searchSettings.required().extend(readAs.shape).meta({ id: 'SearchSettings' });
export type ShownSettings = {
  [Name in keyof SearchSettings]-?: NonNullable<SearchSettings[Name]> | null;
} & z.output<typeof readAs>;
/** What is set among what is shown. */
export type SettingName = Exclude<keyof ShownSettings, keyof typeof readAs.shape>;
export const settingNames = Object.keys(searchSettings.shape) as SettingName[];
