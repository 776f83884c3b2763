import { z } from 'zod';
import { SettingsError } from './settings-error.ts';

export interface MailSettings {
  url: string;
  from: string;
}

export const mailVariables = {
  /** `smtp:` or `smtps:`, with user and password; absent: no mail is sent. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z
    .string()
    .max(320)
    .regex(
      /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
      'must be an address, or "Name <address>"',
    )
    .optional(),
};

const variables = z.object(mailVariables);

/** Null: no mail is sent. @throws SettingsError what is wrong with settings that each would do alone */
export function readMail({
  SMTP_URL: url,
  MAIL_FROM: from,
  PUBLIC_URL,
}: z.infer<typeof variables> & { PUBLIC_URL?: string | undefined }): MailSettings | null {
  if (url === undefined) return null;
  const missing = [...(from === undefined ? ['MAIL_FROM'] : []), ...(PUBLIC_URL ? [] : ['PUBLIC_URL'])];
  if (from === undefined || missing.length > 0)
    throw new SettingsError(`SMTP_URL needs ${missing.join(' and ')} too: letters have a sender and a link`);
  return { url, from };
}
