// `npm run set-plan -- <workspace id or owner’s email> <plan>`: gives a workspace another plan, while the server runs.
import { runCommand } from './operator-command.mjs';

await runCommand('set-plan', 'runSetPlan');
