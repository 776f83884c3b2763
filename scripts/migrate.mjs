// `npm run migrate -- --to opensearch`: moves what DATA_DIR or DATABASE_URL holds to another engine, while no server runs (docs/scaling.md).
import { runCommand } from './operator-command.mjs';

await runCommand('migrate', 'runMigrate');
