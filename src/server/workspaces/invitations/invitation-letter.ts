import type { Role } from '#shared/roles.ts';

interface InvitationLetter {
  to: string;
  /** By username. */
  inviter: string;
  workspace: string;
  role: Role;
  url: string;
  expiresAt: Date;
}

/** Names may have lines, which would read as if the letter said them. */
function oneLine(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
}

/** What people call themselves and their workspaces stands in the text alone: a stranger's subject is not theirs to write. */
export function invitationLetter({ to, inviter, workspace, role, url, expiresAt }: InvitationLetter): {
  to: string;
  subject: string;
  text: string;
} {
  return {
    to,
    subject: 'You are invited to a workspace on Vectora',
    text: `${inviter} invites you to the workspace "${oneLine(workspace)}", as ${role}.

Accept it here, once and until ${expiresAt.toUTCString()}, with an account that has this address:

${url}

If you do not know ${inviter}, there is nothing to do.
`,
  };
}
