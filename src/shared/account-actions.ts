/** What happens to an account itself, by the name that the audit has for it: signing in and out, and changes of how one signs in. */
export const accountActions = [
  'auth.register',
  'auth.login',
  'auth.secondStep',
  // What no procedure does: a try to sign in that has to wait.
  'auth.throttle',
  'auth.logout',
  'auth.endSession',
  'auth.changePassword',
  'auth.forgotPassword',
  'auth.issueResetLink',
  'auth.resetPassword',
  'auth.disableAccount',
  'auth.enableAccount',
  'sessions.end',
  'sessions.endOthers',
  'account.update',
  'account.cancelEmail',
  'account.confirmEmail',
  'secondFactor.start',
  'secondFactor.confirm',
  'secondFactor.disable',
  'secondFactor.renewCodes',
  'secondFactor.remove',
] as const;
export type AccountAction = (typeof accountActions)[number];
