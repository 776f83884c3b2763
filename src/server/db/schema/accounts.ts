import { index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, id, moment, reference } from './columns.ts';

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
    /** End of the idle time; never beyond `createdAt` + 30 days. */
    expiresAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [index('sessions_user').on(table.userId), index('sessions_expiry').on(table.expiresAt)],
);
