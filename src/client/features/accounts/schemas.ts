/** What the forms of accounts are checked by, each fetched when it is first asked for. */
const schemas = () => import('#shared/accounts.ts');

export const loginInput = async () => (await schemas()).loginInput;
export const registerInput = async () => (await schemas()).registerInput;
export const forgottenPassword = async () => (await schemas()).forgottenPassword;
export const passwordReset = async () => (await schemas()).passwordReset;
