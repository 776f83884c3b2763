import type { AccountAction } from '#shared/account-actions.ts';
import type { AccountEvent } from '#shared/account-activity.ts';

const doneWords: Record<AccountAction, string> = {
  'auth.register': 'Account created',
  'auth.login': 'Signed in',
  'auth.secondStep': 'Signed in with a code',
  'auth.throttle': 'Sign-in held back after many tries',
  'auth.logout': 'Signed out',
  'auth.endSession': 'Session ended after wrong passwords',
  'auth.changePassword': 'Password changed',
  'auth.forgotPassword': 'Reset link asked for',
  'auth.issueResetLink': 'Reset link made',
  'auth.resetPassword': 'Password set by a reset link',
  'auth.disableAccount': 'Account disabled',
  'auth.enableAccount': 'Account enabled',
  'sessions.end': 'Signed out elsewhere',
  'sessions.endOthers': 'Signed out everywhere else',
  'account.update': 'Profile changed',
  'account.cancelEmail': 'Change of the email cancelled',
  'account.confirmEmail': 'New email confirmed',
  'secondFactor.start': 'Set-up of two-step sign-in begun',
  'secondFactor.confirm': 'Two-step sign-in turned on',
  'secondFactor.disable': 'Two-step sign-in turned off',
  'secondFactor.renewCodes': 'New recovery codes made',
  'secondFactor.remove': 'Two-step sign-in turned off',
};

const refusedWords: Partial<Record<AccountAction, string>> = {
  'auth.login': 'Sign-in with a wrong password',
  'auth.secondStep': 'Sign-in with a wrong code',
};

/** What happened; of a refusal, what was tried. */
export function wordsOfEvent({
  action,
  outcome,
  by,
}: Pick<AccountEvent, 'action' | 'outcome' | 'by'>): string {
  if (by === 'recovery code') return 'Signed in with a recovery code';
  return (outcome === 'refused' && refusedWords[action]) || doneWords[action];
}
