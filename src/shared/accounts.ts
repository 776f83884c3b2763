import { z } from 'zod';
import { atMost, hasNoControlCharacters, moment, noControlCharacters } from './fields.ts';
import { limits } from './limits.ts';

const userShape = z
  .object({
    id: z.int(),
    email: z.string(),
    username: z.string(),
    firstName: z.string().nullable(),
    lastName: z.string().nullable(),
    createdAt: moment,
  })
  .meta({ id: 'User' });
export type User = z.output<typeof userShape>;
/** Who is signed in now. */
export const signedInShape = z.object({ user: userShape });

const emailCharactersMax = 320;
const codeCharactersMax = 64;
const usernameCharactersMax = 64;

const personName = z
  .string()
  .trim()
  .max(limits.nameCharactersMax, atMost(limits.nameCharactersMax))
  .refine(hasNoControlCharacters, noControlCharacters)
  .refine((value) => value.isWellFormed(), 'must be well-formed Unicode');
/** Empty is none. */
const orNone = (value: string | null | undefined) => value || null;

export const email = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(emailCharactersMax, atMost(emailCharactersMax))
  .pipe(z.email('must be an email address'));

const username = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(usernameCharactersMax, atMost(usernameCharactersMax))
  .regex(/^[\p{L}\p{N}._-]+$/u, 'may contain letters, digits, dots, hyphens and underscores');

const newPassword = z
  .string()
  .min(limits.passwordCharactersMin, `must be at least ${limits.passwordCharactersMin} characters`)
  .max(limits.passwordCharactersMax, atMost(limits.passwordCharactersMax));

export const givenPassword = z
  .string()
  .min(1, 'is required')
  .max(limits.passwordCharactersMax, atMost(limits.passwordCharactersMax));

/** The same again: longer than that it can be none. */
const confirmed = z.string().max(limits.passwordCharactersMax, atMost(limits.passwordCharactersMax));
const areSame = (input: { password: string; confirmPassword: string }) =>
  input.password === input.confirmPassword;
const unlessSame = { message: "Passwords don't match", path: ['confirmPassword'] };

const givenCode = z.string().trim().max(codeCharactersMax, atMost(codeCharactersMax));

export const loginInput = z.strictObject({
  email: z.string().min(1, 'is required').max(emailCharactersMax, atMost(emailCharactersMax)),
  password: givenPassword,
});

/** Whose password is forgotten. */
export const forgottenPassword = loginInput.pick({ email: true });

export const registerInput = z
  .strictObject({
    email,
    username,
    password: newPassword,
    confirmPassword: confirmed,
    firstName: personName.nullish().transform(orNone),
    lastName: personName.nullish().transform(orNone),
  })
  .refine(areSame, unlessSame);

export const passwordChange = z
  .strictObject({ currentPassword: givenPassword, password: newPassword, confirmPassword: confirmed })
  .refine(areSame, unlessSame);

/** What is absent stays as it is. Another email takes the password, and a code where one is asked for on signing in. */
export const profileUpdate = z
  .strictObject({
    firstName: personName.nullable().transform(orNone),
    lastName: personName.nullable().transform(orNone),
    username,
    email,
    currentPassword: givenPassword,
    code: givenCode,
  })
  .partial();

/** What stands behind `/reset-password/` and `/confirm-email/`. */
const token = z.string().min(1, 'is required').max(100, atMost(100));
export const resetLinkRef = z.strictObject({ token });
export const passwordReset = z
  .strictObject({ token, password: newPassword, confirmPassword: confirmed })
  .refine(areSame, unlessSame);

/** A link that is good. */
export const resetLinkShape = z.object({ email: z.string(), expiresAt: moment });
export type ResetLink = z.output<typeof resetLinkShape>;
/** Whose password was set. */
export const passwordResetShape = resetLinkShape.pick({ email: true });

/** An address that is not the account's before a link that was sent there is opened. */
export const pendingEmailShape = z.object({ email: z.string(), expiresAt: moment });
export type PendingEmail = z.output<typeof pendingEmailShape>;
export const profileShape = z.object({ user: userShape, pendingEmail: pendingEmailShape.nullable() });
export type Profile = z.output<typeof profileShape>;

export const emailLinkRef = z.strictObject({ token });
export const confirmedEmailShape = z.object({ email: z.string() });

/** For good: it takes the password, and a code where one is asked for on signing in. */
export const accountDelete = z.strictObject({
  password: givenPassword,
  code: givenCode.optional(),
});

/** Nothing more is to be told than that it is done. */
export const doneShape = z.object({ ok: z.literal(true) });

export type RegisterInput = z.infer<typeof registerInput>;
export type LoginInput = z.infer<typeof loginInput>;
export type PasswordChange = z.infer<typeof passwordChange>;
export type PasswordReset = z.infer<typeof passwordReset>;
export type ProfileUpdate = z.infer<typeof profileUpdate>;
