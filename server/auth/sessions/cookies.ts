// The gateway's cookies: host-only, and with https other hosts and plain http cannot set them (RFC 10017, section 6.1).

export type CookieRules = ReturnType<typeof cookieRules>

export function cookieRules(publicUrl: string) {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  const attributes = { path: '/', httpOnly: true, secure } as const
  return {
    secure,
    /** `attemptPrefix`, followed by the name of a sign-in attempt, names the cookie of this attempt. */
    names: { session: `${prefix}portal`, attemptPrefix: `${prefix}portal-signin-` },
    session: { ...attributes, sameSite: 'strict' },
    /** Lax: the authority sends the browser back from another site. */
    attempt: { ...attributes, sameSite: 'lax' }
  } as const
}
