import { expect, test } from 'vitest';
import { type Role, roles } from '#shared/roles.ts';
import { type ProcedureEntry, procedures } from './procedures.ts';

const words: Record<Role, string> = {
  viewer: 'searches and reads: documents, rules, figures, who else is a member, and keys that only read.',
  editor:
    'also writes: documents, collections and their settings, synonyms, overrides, presets and judgements.',
  admin:
    'also makes API keys and webhooks, deletes projects, changes the workspace, invites members and gives roles up to the own one.',
  owner: 'also makes owners, reads the audit log, and deletes the workspace.',
};

const page = `# Roles

A workspace has members, and each has one role in it. Each role may do what those before it may. A test writes the tables below anew from the procedures themselves
(\`npx vitest run roles-text --update\`), and fails when they are out of date; another one tries every operation as each role and as a former member.

${roles.map((role) => `- **${role}** ${words[role]}`).join('\n')}

What is in a workspace that the caller is no member of does not exist: 404. A member without the role gets 403 with the role that it needs.

- **An invitation** is a link that is good once, for seven days, and for a role that is not above its inviter's. With an email it is mailed there, where the server
  sends mail, and only the account with this email can accept it. It is stored as a hash and shown once. It dies with its inviter's membership, and with the role that
  could give it.
- **An owner** is there always: the last one can neither leave nor be removed nor become anything else. Only owners make owners, and change or remove one.
- **Who is removed** or given a lesser role loses what that takes at once, on all servers and on pages that are open. What they made stays. So do API keys: they
  are the project's and open it for whoever has them, so disable those that a former member should not have any more. A key that writes is shown to those alone who may write.
- **Several owners**: the plan's figures are of the account that has been owner longest.

${roles.map((role) => `## From ${role} on\n\n${tableOf(role)}`).join('\n\n')}

## Whoever is signed in

${list(({ roleMin, access }) => roleMin === null && access === 'session')}

## Anybody

${list(({ access }) => access === 'public')}
`;

function tableOf(role: Role): string {
  const own = [...procedures.values()].filter(({ roleMin }) => roleMin === role);
  const rows = own.map(({ name, access }) => `| \`${name}\` | ${access === 'session' ? '–' : access} |`);
  return ['| operation | or a key with |', '|---|---|', ...rows].join('\n');
}

function list(isIn: (procedure: ProcedureEntry) => boolean): string {
  const names = [...procedures.values()].filter(isIn).map(({ name }) => `\`${name}\``);
  return `${names.join(', ')}.`;
}

test('docs/roles.md says what each role may do', async () => {
  await expect(page).toMatchFileSnapshot('../../../docs/roles.md');
});

test('what only reads needs no more than a viewer, unless it tells of others’ doings or costs as much as a write', () => {
  const closed = [...procedures.values()].filter(
    ({ type, roleMin }) => type === 'query' && roleMin !== null && roleMin !== 'viewer',
  );
  expect(closed.map(({ name, roleMin }) => `${name} ${roleMin}`)).toEqual([
    'invitations.list admin',
    'auditEntries.list owner',
    'auditEntries.total owner',
    'webhooks.list admin',
    'collections.verify editor',
    'judgements.clicked editor',
    'judgements.compare editor',
  ]);
});
