export interface CookieShape {
  name: string;
  attributes: { httpOnly: true; sameSite: 'Lax'; path: '/'; secure: boolean };
}

/**
 * How the session travels. Over https the `__Host-` prefix makes browsers refuse it from other hosts and paths;
 * over plain http (a laptop) that prefix would make them refuse it altogether.
 */
export function sessionCookie(secure: boolean): CookieShape {
  return shapeOf('vectora_session', secure);
}

/** What a browser is known by that has signed in before; see `Devices`. */
export function deviceCookie(secure: boolean) {
  const { name, attributes } = shapeOf('vectora_device', secure);
  return { name, attributes: { ...attributes, maxAge: deviceSeconds } };
}

/** For somebody whose password was right, until a code follows; see `PendingLogin`. */
export function pendingLoginCookie(secure: boolean): CookieShape {
  return shapeOf('vectora_pending', secure);
}

/** As long as browsers keep a cookie at most. */
const deviceSeconds = 400 * 24 * 60 * 60;

function shapeOf(name: string, secure: boolean): CookieShape {
  return {
    name: secure ? `__Host-${name}` : name,
    attributes: { httpOnly: true, sameSite: 'Lax', path: '/', secure },
  };
}
