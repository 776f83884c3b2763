import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Override } from '#shared/overrides.ts';
import type { Preset } from '#shared/presets.ts';
import type { SearchSettings } from '#shared/search-settings.ts';
import { collections } from './collections.ts';
import { reference } from './columns.ts';

/**
 * How a collection is searched. Whoever changes anything here advances `collections.rules_version` in the same transaction: servers keep
 * what they have read of it for as long as that stands.
 */

const ofCollection = () =>
  reference()
    .notNull()
    .references(() => collections.id, { onDelete: 'cascade' });
/** Of the rule as JSON, in UTF-8: what all rules of a collection have together is bounded. */
const bytes = () => integer().notNull();

export const synonyms = pgTable(
  'synonyms',
  {
    collectionId: ofCollection(),
    id: text().notNull(),
    members: jsonb().$type<string[]>().notNull(),
    root: text(),
    bytes: bytes(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.id] })],
);

export const overrides = pgTable(
  'overrides',
  {
    collectionId: ofCollection(),
    id: text().notNull(),
    definition: jsonb().$type<Omit<Override, 'id'>>().notNull(),
    bytes: bytes(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.id] })],
);

export const presets = pgTable(
  'presets',
  {
    collectionId: ofCollection(),
    /** Its name. */
    id: text().notNull(),
    parameters: jsonb().$type<Preset['parameters']>().notNull(),
    bytes: bytes(),
  },
  (table) => [primaryKey({ columns: [table.collectionId, table.id] })],
);

export const searchSettings = pgTable('search_settings', {
  collectionId: ofCollection().primaryKey(),
  settings: jsonb().$type<SearchSettings>().notNull(),
  bytes: bytes(),
});

/** Which language a collection's texts are in, as they say it themselves. A collection without a row has not been looked at yet. */
export const detectedLanguages = pgTable('detected_languages', {
  collectionId: ofCollection().primaryKey(),
  /** ISO 639-1; null: too little is known so far. */
  language: text(),
  /** Documents of which it was read. */
  readDocuments: integer().notNull().default(0),
  /** How many the collection had when it was last looked at. */
  heldDocuments: integer().notNull().default(0),
  /** Texts are read as it where the settings say no language. False for collections that are older than detection: what they find stays as it is. */
  acts: boolean().notNull().default(true),
  /** How many versions of the rules it has made. */
  changes: integer().notNull().default(0),
});
