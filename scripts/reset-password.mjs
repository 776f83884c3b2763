// `npm run reset-password -- <email>`: prints a link that sets an account's password, while the server runs.
import { runCommand } from './operator-command.mjs';

await runCommand('print-reset-link', 'printResetLink');
