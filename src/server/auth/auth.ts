import type { Rejection } from '#server/admission/rejection.ts';
import type { Origin } from '#server/audit/audit-entry.ts';
import type {
  LoginInput,
  PasswordChange,
  PasswordReset,
  PendingEmail,
  ProfileUpdate,
  RegisterInput,
  ResetLink,
  Profile as ShownProfile,
  User,
} from '#shared/accounts.ts';
import type {
  RecoveryCodes,
  SecondFactorStart,
  SecondFactor as SecondFactorState,
  SecondStep,
} from '#shared/second-factor.ts';
import type { KeyPrincipal, UserPrincipal } from './principal.ts';
import type { Asking, CodeAwaited, IssuedSession, SignedIn, Visitor } from './visitor.ts';

/** Codes by an app beside the password: each account's own choice. What changes it asks for the password again. */
export interface SecondFactor {
  state(principal: UserPrincipal): Promise<SecondFactorState>;
  /** A secret for the app; it counts once `confirm` was told a code. @throws AppError CONFLICT (there is one), BAD_REQUEST, TOO_MANY_REQUESTS */
  start(asking: Asking, input: { password: string }): Promise<SecondFactorStart>;
  /** Ends the other sessions: they have shown a password alone. @throws AppError CONFLICT (not started), BAD_REQUEST, TOO_MANY_REQUESTS */
  confirm(asking: Asking, input: { code: string }): Promise<RecoveryCodes>;
  /** @throws AppError CONFLICT (there is none), BAD_REQUEST, TOO_MANY_REQUESTS */
  disable(asking: Asking, input: { password: string; code: string }): Promise<void>;
  /** @throws AppError as `disable` */
  renewCodes(asking: Asking, input: { password: string; code: string }): Promise<RecoveryCodes>;
  /**
   * Asks who is signed in for what signing in asks for, before what cannot be undone.
   * @throws AppError BAD_REQUEST at `password` or `code`, UNAUTHORIZED (the session has ended by guessing), TOO_MANY_REQUESTS
   */
  prove(asking: Asking, input: { password: string; code?: string | undefined }): Promise<void>;
}

export interface ProfileChange extends ShownProfile {
  /** The device cookie's new value; null: it stays. */
  device: string | null;
}

/** Names and email of an account. */
export interface Profile {
  /**
   * What is absent stays. Another email takes the password, and a code where signing in takes one; where mail is sent it counts once a link that goes there was opened.
   * @throws AppError BAD_REQUEST (not the password), CONFLICT (taken), UNAUTHORIZED (the session has ended by guessing), UNAVAILABLE (the
   * letter could not be sent), TOO_MANY_REQUESTS
   */
  update(asking: Asking & { from: Visitor }, input: ProfileUpdate): Promise<ProfileChange>;
  /** An address that waits for its link to be opened. */
  findPendingEmail(principal: UserPrincipal): Promise<PendingEmail | null>;
  /** Nothing where none waits. */
  cancelEmail(asking: Asking): Promise<void>;
  /** Of whom a link makes which address. @throws AppError NOT_FOUND for a link that is not good (any more), TOO_MANY_REQUESTS */
  emailLink(token: string, from: Visitor): Promise<PendingEmail>;
  /** Tells the former address. @throws AppError as `emailLink`, CONFLICT (somebody has it by now) */
  confirmEmail(token: string, from: Visitor): Promise<{ email: string; device: string }>;
  /** Waits for letters on their way. */
  close(): Promise<void>;
}

/** Accounts, sessions and key checks. `from` is for the throttles, the log and the audit. */
export interface Auth {
  /** @throws AppError CONFLICT (email or username taken), BAD_REQUEST (a common password), FORBIDDEN (sign-up closed), TOO_MANY_REQUESTS */
  register(input: RegisterInput, from: Visitor): Promise<SignedIn>;
  /** @throws AppError UNAUTHORIZED "Invalid email or password" (same work for an unknown email), TOO_MANY_REQUESTS */
  login(input: LoginInput, from: Visitor): Promise<SignedIn | CodeAwaited>;
  /** @throws AppError UNAUTHORIZED (at `code`: it is not right; else the password must be shown again), TOO_MANY_REQUESTS */
  secondStep(input: SecondStep, from: Visitor): Promise<SignedIn>;
  secondFactor: SecondFactor;
  profile: Profile;
  /** Ends the session on the server. `from` is absent where a sign-in takes its place. */
  logout(principal: UserPrincipal, from?: Origin): Promise<void>;
  user(principal: UserPrincipal): Promise<User | null>;
  /** Whether a forgotten password is a matter of mail; otherwise of whoever runs the server. */
  readonly sendsMail: boolean;
  /** Mails a reset link, some time after the return, if there is such an account. @throws AppError UNPROCESSABLE (no mail), TOO_MANY_REQUESTS */
  forgotPassword(email: string, from: Visitor): void;
  /**
   * Ends the other sessions.
   * @throws AppError BAD_REQUEST (not the current password, or a common new one), UNAUTHORIZED (the session has ended by guessing),
   * TOO_MANY_REQUESTS
   */
  changePassword(principal: UserPrincipal, given: { input: PasswordChange; from: Origin }): Promise<void>;
  /** @throws AppError NOT_FOUND for a link that is not good (any more), TOO_MANY_REQUESTS */
  resetLink(token: string, from: Visitor): Promise<ResetLink>;
  /** Ends all sessions. `device`: the device cookie's new value. @throws AppError as `resetLink`, BAD_REQUEST (a common password) */
  resetPassword(
    input: PasswordReset,
    from: Visitor,
  ): Promise<{ userId: number; email: string; device: string }>;
  /**
   * Looks up what a link that anybody may have made up is about: those that nobody made are limited by address.
   * @throws AppError what `ask` throws, TOO_MANY_REQUESTS
   */
  tryLink<T>(from: Visitor, ask: () => Promise<T>): Promise<T>;
  /** Counts an invitation that is mailed, for good: also once it is gone with its workspace. @throws AppError TOO_MANY_REQUESTS */
  countInvitation(principal: UserPrincipal): void;
  /** Whose device cookie it is, in a name for the account that signs nobody in; null: nobody's. */
  deviceAccount(cookieValue: string | null | undefined): string | null;
  /** Whether this server made the cookie's value, whatever has become of its session. One that it did not make is worth nothing. */
  isOwnSession(cookieValue: string): boolean;
  /** Null: no such session, or expired. `renewed`: the cookie must be sent again with this expiry. */
  authenticateSession(
    cookieValue: string,
    address?: string,
    hashedId?: string,
  ): Promise<{ principal: UserPrincipal; renewed: IssuedSession | null } | null>;
  /**
   * @throws AppError UNAUTHORIZED for a malformed (no database read), unknown, inactive or expired key; TOO_MANY_REQUESTS for one that is
   * not known here, from an address that has sent many unknown ones
   */
  authenticateKey(rawKey: string, address?: string, name?: string): Promise<KeyPrincipal>;
  /** Why a key would be refused before it is looked up, by its name (`keyName`); null: it would not be. */
  findKeyRejection(name: string, address: string): Rejection | null;
  /** When keys were last used, as far as the record does not hold it yet. */
  pendingUses(): Map<number, Date>;
  /** Writes what is still in memory (when keys were last used, and sessions last seen); also called before the record closes. */
  flush(): Promise<void>;
  /** Waits for letters on their way. */
  close(): Promise<void>;
}
