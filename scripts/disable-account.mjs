// `npm run disable-account -- <email> [--enable]`: shuts an account out, or lets it in again, while the server runs.
import { runCommand } from './operator-command.mjs';

await runCommand('disable-account', 'runDisableAccount');
