export interface SessionCookie {
  name: string;
  attributes: { httpOnly: true; sameSite: 'Lax'; path: '/'; secure: boolean };
}

/**
 * How the session travels. Over https the `__Host-` prefix makes browsers refuse it from other hosts and paths;
 * over plain http (a laptop) that prefix would make them refuse it altogether.
 */
export function sessionCookie(secure: boolean): SessionCookie {
  return {
    name: secure ? '__Host-vectora_session' : 'vectora_session',
    attributes: { httpOnly: true, sameSite: 'Lax', path: '/', secure },
  };
}
