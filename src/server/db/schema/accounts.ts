import { bigint, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytea, createdAt, id, moment, reference } from './columns.ts';

export const users = pgTable(
  'users',
  {
    id: id(),
    email: text().notNull(),
    /** Lower-cased and normalised: what is compared. */
    emailKey: text().notNull(),
    username: text().notNull(),
    usernameKey: text().notNull(),
    firstName: text(),
    lastName: text(),
    /** argon2id, with its parameters. */
    passwordHash: text().notNull(),
    /** Since when an operator shuts it out. */
    disabledAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('users_email_key').on(table.emailKey),
    uniqueIndex('users_username_key').on(table.usernameKey),
  ],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the cookie's value, in hex: a dump of the table opens nothing. */
    id: text().primaryKey(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** What its owner knows it by: it signs nobody in. */
    number: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** End of the idle time; never beyond `createdAt` + 30 days. */
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
    /** To some minutes. */
    lastSeenAt: moment().notNull().defaultNow(),
    /** From where it was begun, as throttles count addresses. */
    addressGroup: text(),
    /** What the browser called itself then. */
    userAgent: text(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
);

export const passwordResets = pgTable(
  'password_resets',
  {
    /** SHA-256 of the link's token, in hex: a dump of the table opens nothing. */
    id: text().primaryKey(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index('password_resets_user').on(table.userId),
    index('password_resets_expiry').on(table.expiresAt),
  ],
);

/** An account's next email, until a link that was sent there is opened; at most one each. */
export const emailChanges = pgTable(
  'email_changes',
  {
    userId: reference()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256 of the link's token, in hex: a dump of the table opens nothing. */
    tokenHash: text().notNull(),
    email: text().notNull(),
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('email_changes_token').on(table.tokenHash),
    index('email_changes_expiry').on(table.expiresAt),
  ],
);

/** What an account's codes are made from; at most one each. */
export const secondFactors = pgTable('second_factors', {
  userId: reference()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** AES-256-GCM, bound to the account. */
  secret: bytea().notNull(),
  /** Null: it was not shown to work yet, and no code is asked for. */
  confirmedAt: moment(),
  /** The last 30 seconds, counted from 1970, whose code was taken: later ones are good, and each once. */
  lastStep: integer(),
  /** Of the app, in a row. */
  wrongCodes: integer().notNull().default(0),
  createdAt: createdAt(),
});

export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    /** SHA-256 of the code, in hex: a dump of the table opens nothing. */
    id: text().primaryKey(),
    userId: reference()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
);

/** Wrong passwords lately, for servers that share the record and for those that start again. */
export const wrongPasswords = pgTable(
  'wrong_passwords',
  {
    /** A hash of what is counted, in so few bits that a flood of names fills no disk. */
    bucket: integer().primaryKey(),
    tries: integer().notNull(),
    triedAt: moment().notNull().defaultNow(),
  },
  (table) => [index('wrong_passwords_tried').on(table.triedAt)],
);
